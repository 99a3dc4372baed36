package s3csi.testbed.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.bench.Footprint.Figures;
import s3csi.testbed.contender.Contender;
import s3csi.testbed.contender.EngineMount;
import s3csi.testbed.contender.Wanted;
import s3csi.testbed.mounter.MounterProgram;
import s3csi.testbed.s3.S3Clients;
import s3csi.volume.mount.MountMessage;
import software.amazon.awssdk.services.s3.S3Client;

/** What an engine costs that serves a mount nobody uses yet. There is one for every volume on a node. */
final class EngineFootprint {
    static final double BAR_MILLIS = 300;
    static final double BAR_MB = 64;

    private static final int ROUNDS = 3;
    /** The JVM gives back what its compilers used some seconds after they had nothing more to do. */
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(12);

    private static final String BUCKET = "footprint";

    private EngineFootprint() {}

    static boolean holds(Figures figures) {
        return figures.readyMillis() <= BAR_MILLIS && figures.rssMegabytes() <= BAR_MB;
    }

    private static void settle(Path status) {
        long end = System.nanoTime() + SETTLED_AFTER.toNanos();
        Await.until(SETTLED_AFTER.plusSeconds(1), status::toString, () -> System.nanoTime() - end >= 0);
    }

    private static MinioServer store() {
        MinioServer server = MinioServer.startInMemory();
        try (S3Client client = S3Clients.root(server)) {
            client.createBucket(request -> request.bucket(BUCKET));
        }
        return server;
    }

    /** From the start of the mounter; the mount waits for it, as it does for a node service in a hurry. */
    static Figures mounter() {
        List<Figures> figures = new ArrayList<>();
        try (MinioServer server = store()) {
            MountMessage message = new MountMessage(
                    BUCKET,
                    List.of("--allow-root", "--force-path-style"),
                    List.of(
                            "AWS_ACCESS_KEY_ID=" + server.root().accessKeyId(),
                            "AWS_ENDPOINT_URL=" + server.endpoint(),
                            "AWS_REGION=" + server.region(),
                            "AWS_SECRET_ACCESS_KEY=" + server.root().secretAccessKey()));
            for (int round = 0; round < ROUNDS; round++) {
                long started = System.nanoTime();
                try (MounterProgram mounter = MounterProgram.start()) {
                    mounter.mount(message);
                    double ready = (System.nanoTime() - started) / 1e6;
                    figures.add(Footprint.figures(ready, mounter.process().pid(), EngineFootprint::settle));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return Figures.medianOf(figures);
    }

    static Figures mountS3() {
        List<Figures> figures = new ArrayList<>();
        try (MinioServer server = store()) {
            Wanted wanted = new Wanted(
                    server.endpoint(),
                    server.region(),
                    BUCKET,
                    server.root(),
                    Scratch.directoryInMemory("footprint"),
                    Optional.empty(),
                    Optional.empty());
            for (int round = 0; round < ROUNDS; round++) {
                try (EngineMount mount = EngineMount.of(Contender.OURS, wanted)) {
                    figures.add(Footprint.figures(mount.startSeconds() * 1e3, mount.pid(), EngineFootprint::settle));
                }
            }
        }
        return Figures.medianOf(figures);
    }
}
