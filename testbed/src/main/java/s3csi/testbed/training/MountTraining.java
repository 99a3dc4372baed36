package s3csi.testbed.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;

/** A short life of a mount. It takes the right to mount; where that is missing the program is only trained to start. */
final class MountTraining {
    private static final Duration MOUNTED_WITHIN = Duration.ofSeconds(60);
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(3);

    private MountTraining() {}

    static void run(List<String> command, TrainingStore store) throws IOException {
        Path directory = Scratch.directory("training");
        Path log = directory.resolve("mount-s3.log");
        if (!Exercise.mayMount()) {
            System.out.println("mount-s3 is trained to start only: mounting takes root and /dev/fuse");
            ChildProcess.run(with(command, "--version"), Map.of(), log, WRITTEN_WITHIN);
            return;
        }
        Path mount = Files.createDirectory(directory.resolve("mount"));
        List<String> line = with(
                command,
                "training-bucket",
                mount.toString(),
                "--foreground",
                "--endpoint-url=" + store.endpoint(),
                "--region=us-east-1",
                "--force-path-style",
                "--allow-delete",
                "--allow-overwrite");
        Map<String, String> environment = Map.of("AWS_ACCESS_KEY_ID", "training", "AWS_SECRET_ACCESS_KEY", "training");
        try (ChildProcess program = ChildProcess.start(line, environment, log)) {
            Await.until(MOUNTED_WITHIN, () -> program.story("has not mounted"), () -> isMounted(program, mount));
            Exercise.in(mount);
            program.terminateWithin(WRITTEN_WITHIN);
        }
    }

    private static List<String> with(List<String> command, String... arguments) {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(arguments));
        return line;
    }

    private static boolean isMounted(ChildProcess program, Path mount) {
        if (!program.isAlive()) {
            throw new IllegalStateException(program.story("ended before it mounted"));
        }
        try {
            return Files.readString(Path.of("/proc/self/mounts")).contains(" " + mount + " ");
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the mount table", e);
        }
    }
}
