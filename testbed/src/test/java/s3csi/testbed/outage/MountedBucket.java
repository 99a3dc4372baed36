package s3csi.testbed.outage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.contender.MountProgram;

/** A bucket mounted by {@code mount-s3} as built. */
final class MountedBucket implements AutoCloseable {
    static final String BUCKET = "outage";

    private final MountProgram program;

    /** @param certificates what to trust, in PEM; empty where the store has no TLS */
    MountedBucket(S3Server server, URI endpoint, String certificates, String... options) {
        Path home = Scratch.directory("outage");
        Map<String, String> environment = new HashMap<>(Map.of(
                "HOME", home.toString(),
                "AWS_ACCESS_KEY_ID", server.root().accessKeyId(),
                "AWS_SECRET_ACCESS_KEY", server.root().secretAccessKey(),
                "AWS_ENDPOINT_URL", endpoint.toString(),
                "AWS_REGION", server.region()));
        if (!certificates.isEmpty()) {
            Path bundle = home.resolve("ca.pem");
            try {
                Files.writeString(bundle, certificates);
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot prepare a mount", failure);
            }
            environment.put("AWS_CA_BUNDLE", bundle.toString());
        }
        List<String> command = new ArrayList<>(List.of(
                Tools.program("mount-s3").toString(),
                BUCKET,
                MountProgram.directoryIn(home).toString(),
                "--foreground"));
        command.addAll(List.of(options));
        program = MountProgram.start(home, command, environment);
    }

    Path directory() {
        return program.directory();
    }

    String log() {
        try {
            return Files.readString(program.log());
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read the engine's log", failure);
        }
    }

    String story(String what) {
        return program.process().story(what);
    }

    /** Sets those free who wait in the mount. */
    void kill() {
        program.process().kill();
    }

    /** Tells the engine to stop, and returns its exit code. */
    int terminateWithin(Duration deadline) {
        return program.process().terminateWithin(deadline);
    }

    @Override
    public void close() {
        program.close();
    }
}
