package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.linux.PeerCredentials;
import s3csi.linux.ReceivedMessage;
import s3csi.linux.UnixListener;
import s3csi.linux.UnixStream;
import s3csi.volume.EngineTrouble;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/** Engines that are threads: they listen on a real socket and serve mounts of {@link FakeMounts}, or fail as told. */
final class FakeEngines implements EngineHost {
    static final String LAST_WORDS = "Segmentation fault";

    enum Behaviour {
        SERVES,
        CANNOT_START,
        DIES_AT_ONCE,
        NEVER_LISTENS,
        IS_A_STRANGER,
        COMPLAINS,
        DIES_WITH_THE_MOUNT,
        NEVER_SERVES
    }

    private final FakeMounts mounts;
    private final Map<String, FakeEngine> running = new ConcurrentHashMap<>();

    Behaviour behaviour = Behaviour.SERVES;
    /** Whether an engine whose mount is gone has files to store, and takes its time. */
    boolean areStoring;

    int starts;
    int kills;
    final List<MountMessage> messages = new ArrayList<>();
    final List<Integer> descriptors = new ArrayList<>();

    FakeEngines(FakeMounts mounts) {
        this.mounts = mounts;
    }

    @Override
    public OwnedEngine start(SourceDirectory source) {
        starts++;
        if (behaviour == Behaviour.CANNOT_START) {
            throw new VolumeFailure(new NodeCause.EngineMissing("mounter", "posix_spawn: ENOENT"));
        }
        FakeEngine engine = new FakeEngine(source);
        running.put(source.name(), engine);
        if (behaviour == Behaviour.DIES_AT_ONCE) {
            engine.alive = false;
        } else if (behaviour != Behaviour.NEVER_LISTENS) {
            engine.listen();
        }
        return engine;
    }

    @Override
    public Optional<OwnedEngine> find(SourceDirectory source) {
        return Optional.ofNullable(running.get(source.name()))
                .filter(engine -> engine.alive)
                .map(engine -> engine);
    }

    long alive() {
        return running.values().stream().filter(engine -> engine.alive).count();
    }

    private final class FakeEngine implements OwnedEngine {
        private final SourceDirectory source;
        private volatile boolean alive = true;
        private @Nullable UnixListener listener;

        FakeEngine(SourceDirectory source) {
            this.source = source;
        }

        void listen() {
            try {
                listener = UnixListener.bind(source.comm().resolve(CommFiles.SOCKET));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            Thread.ofPlatform().daemon().start(this::serve);
        }

        private void serve() {
            try (UnixListener closed = listener;
                    UnixStream stream = closed == null
                            ? null
                            : closed.accept(Duration.ofSeconds(20)).orElse(null)) {
                if (stream == null) {
                    return;
                }
                try (ReceivedMessage received = stream.receiveAll(MountMessage.LARGEST, 1, Duration.ofSeconds(20))) {
                    if (received.bytes().length == 0) {
                        return;
                    }
                    synchronized (FakeEngines.this) {
                        messages.add(MountMessage.parse(received.bytes()));
                        descriptors.add(received.descriptors().size());
                    }
                }
                act();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        private void act() throws IOException {
            switch (behaviour) {
                case SERVES ->
                    mounts.setPulse(mounts.topAt(source.mount()).orElseThrow().device(), FakeMounts.ALIVE);
                case COMPLAINS -> {
                    EngineReport report = new EngineReport(EngineTrouble.NO_SUCH_BUCKET, "Error: there is no bucket");
                    // At once, as a real one does: whoever looks meanwhile must not see half of it.
                    Path draft = Files.write(source.comm().resolve("draft"), report.toBytes());
                    Files.move(draft, source.comm().resolve(CommFiles.ERROR));
                    alive = false;
                }
                case DIES_WITH_THE_MOUNT -> alive = false;
                case NEVER_SERVES, NEVER_LISTENS, IS_A_STRANGER, CANNOT_START, DIES_AT_ONCE -> {}
            }
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public boolean isPeer(PeerCredentials peer) {
            return behaviour != Behaviour.IS_A_STRANGER;
        }

        @Override
        public byte[] lastWords() {
            return LAST_WORDS.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public boolean awaitEnd(Duration patience) {
            // A real engine ends when its mount is gone.
            if (mounts.topAt(source.mount()).isEmpty() && !areStoring) {
                alive = false;
            }
            return !alive;
        }

        @Override
        public void kill() {
            kills++;
            alive = false;
        }
    }
}
