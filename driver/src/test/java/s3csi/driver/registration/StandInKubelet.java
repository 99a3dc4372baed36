package s3csi.driver.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import s3csi.driver.grpc.Connection;
import s3csi.registration.v1.InfoRequest;
import s3csi.registration.v1.PluginInfo;
import s3csi.registration.v1.RegistrationGrpc;
import s3csi.registration.v1.RegistrationStatus;

/**
 * What kubelet does with its directory of plugins: it asks behind every socket that is there or appears, unless its name begins with a dot,
 * tells it what came of it, and forgets a plugin whose socket goes.
 */
public final class StandInKubelet implements AutoCloseable {
    private final Path directory;
    private final Function<PluginInfo, Optional<String>> fault;
    private final WatchService watch;
    private final List<PluginInfo> asked = new CopyOnWriteArrayList<>();
    private final Map<Path, PluginInfo> registered = new ConcurrentHashMap<>();

    /** @param fault why a plugin is not taken; empty if it is */
    public StandInKubelet(Path directory, Function<PluginInfo, Optional<String>> fault) throws IOException {
        this.directory = directory;
        this.fault = fault;
        watch = directory.getFileSystem().newWatchService();
        WatchKey _ =
                directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
        Thread.ofVirtual().start(this::run);
    }

    /** What plugins said of themselves, each time that one was asked. */
    public List<PluginInfo> asked() {
        return List.copyOf(asked);
    }

    public List<PluginInfo> registered() {
        return List.copyOf(registered.values());
    }

    private void run() {
        try (Stream<Path> found = Files.list(directory)) {
            found.forEach(this::appeared);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the directory of plugins", e);
        }
        try {
            while (true) {
                WatchKey key = watch.take();
                key.pollEvents().forEach(this::happened);
                key.reset();
            }
        } catch (InterruptedException | ClosedWatchServiceException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void happened(WatchEvent<?> event) {
        Path file = directory.resolve((Path) event.context());
        if (event.kind().equals(StandardWatchEventKinds.ENTRY_CREATE)) {
            appeared(file);
        } else {
            registered.remove(file);
        }
    }

    private void appeared(Path socket) {
        if (socket.getFileName().toString().startsWith(".")) {
            return;
        }
        try (Connection connection = Connection.to(socket)) {
            var plugin = RegistrationGrpc.newBlockingStub(connection.channel()).withDeadlineAfter(20, TimeUnit.SECONDS);
            PluginInfo info = plugin.getInfo(InfoRequest.getDefaultInstance());
            asked.add(info);
            Optional<String> reason = fault.apply(info);
            if (reason.isEmpty()) {
                registered.put(socket, info);
            }
            var _ = plugin.notifyRegistrationStatus(RegistrationStatus.newBuilder()
                    .setPluginRegistered(reason.isEmpty())
                    .setError(reason.orElse(""))
                    .build());
        } catch (StatusRuntimeException e) {
            // As kubelet: it tries what is new, and this one is gone, or nobody listens.
            registered.remove(socket);
        }
    }

    /** Looks until it holds, for twenty seconds at most. */
    public static void await(String what, BooleanSupplier condition) {
        Instant deadline = Instant.now().plusSeconds(20);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).as("in time: " + what).isBefore(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() throws IOException {
        watch.close();
    }
}
