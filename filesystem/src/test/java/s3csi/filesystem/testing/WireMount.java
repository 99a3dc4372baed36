package s3csi.filesystem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import s3csi.filesystem.FileSystemConfig;
import s3csi.filesystem.S3FileSystem;
import s3csi.filesystem.memory.BufferPool;
import s3csi.filesystem.read.ReadSettings;
import s3csi.filesystem.read.Readers;
import s3csi.linux.LinuxException;
import s3csi.s3.StoreObserver;
import s3csi.s3.StoreOperation;
import s3csi.s3.client.HttpObjectStore;
import s3csi.s3.client.HttpStoreOptions;
import s3csi.s3.http.Timeouts;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.Reply;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.StoreScript;

/**
 * A file system over the real client and a server that misbehaves as told. Waits between attempts take no time. Its end asserts that
 * no memory, waiter or connection is left.
 */
public final class WireMount implements AutoCloseable {
    /** Longer than a good answer ever takes, also on a busy machine. */
    private static final Timeouts LONG = timeouts(Duration.ofSeconds(20));

    private static final Timeouts SHORT = timeouts(Duration.ofMillis(300));

    public final MemoryObjectStore memory = new MemoryObjectStore();
    public final BufferPool pool;
    public final FakeKernel kernel;
    public final S3FileSystem fileSystem;
    public final ScriptedServer server;

    /** Answers as they came: the operation's name and the status, 0 for none; and violations of integrity. */
    public final List<String> observed = new CopyOnWriteArrayList<>();

    /** How long the client wanted to wait between attempts. */
    public final List<Duration> waits = new CopyOnWriteArrayList<>();

    private final StoreScript good = new StoreScript(memory);
    private final HttpObjectStore store;
    private final Readers readers;
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Spoiler spoiler = (_, _) -> false;

    /** Does something bad with a request, or says that it does not. */
    @FunctionalInterface
    public interface Spoiler {
        boolean spoils(ScriptedServer.Request request, Reply reply) throws IOException;
    }

    private WireMount(FileSystemConfig config, Timeouts timeouts) throws LinuxException {
        pool = new BufferPool(BufferPool.MINIMUM_BUDGET);
        server = new ScriptedServer((request, reply) -> {
            if (!spoiler.spoils(request, reply)) {
                good.answer(request, reply);
            }
        });
        store = new HttpObjectStore(HttpStoreOptions.forBucket("bucket")
                .endpoint(server.address())
                .timeouts(timeouts)
                .observer(new Observer())
                .time(Clock.systemUTC(), new Random(1), waits::add));
        readers = new Readers(store, pool, ReadSettings.DEFAULT);
        fileSystem = new S3FileSystem(store, pool, readers, config);
        kernel = new FakeKernel(fileSystem);
    }

    private static Timeouts timeouts(Duration answer) {
        return new Timeouts(Duration.ofSeconds(20), answer, answer, Duration.ofSeconds(30));
    }

    public static WireMount with(FileSystemConfig config) throws LinuxException {
        return new WireMount(config, LONG);
    }

    /** One that does not wait long for a server: for tests of servers that say nothing. */
    public static WireMount impatient(FileSystemConfig config) throws LinuxException {
        return new WireMount(config, SHORT);
    }

    /** From now on. */
    public void spoil(Spoiler how) {
        spoiler = how;
    }

    public void heal() {
        spoiler = (_, _) -> false;
    }

    /** Requests of a method, in the order of their arrival. */
    public List<ScriptedServer.Request> requests(String method) {
        return server.requests().stream()
                .filter(each -> each.method().equals(method))
                .toList();
    }

    private final class Observer implements StoreObserver {
        @Override
        public void requestEnded(StoreOperation operation, int status, Duration firstByte, Duration total) {
            observed.add(operation.label() + ' ' + status);
        }

        @Override
        public void connectionsChanged(int delta) {
            connections.addAndGet(delta);
        }

        @Override
        public void integrityViolated(StoreOperation operation) {
            observed.add("integrity " + operation.label());
        }
    }

    @Override
    public void close() {
        fileSystem.close();
        readers.close();
        store.close();
        server.close();
        Eventually.that(() -> pool.used() == 0);
        assertThat(pool.waiting()).as("waiting for memory").isZero();
        assertThat(pool.peak()).as("most memory used").isLessThanOrEqualTo(pool.budget());
        assertThat(connections.get()).as("open connections").isZero();
        pool.close();
    }
}
