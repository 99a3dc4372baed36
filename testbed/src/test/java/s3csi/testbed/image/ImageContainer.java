package s3csi.testbed.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;

/**
 * A program that runs in the image as in a container: mounts of its own, the image as a read-only root by overlayfs, a {@code /tmp}, a user. When
 * it ends, its mounts end with it.
 */
record ImageContainer(ChildProcess process, Path log) implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(1);

    private static final String IN_CONTAINER = """
            set -e
            image=$1 place=$2 user=$3 chroot=$(command -v chroot)
            shift 3
            mount -t tmpfs tmpfs "$place"
            mkdir "$place/upper" "$place/work" "$place/root"
            mount -t overlay -o "lowerdir=$image,upperdir=$place/upper,workdir=$place/work" overlay "$place/root"
            cp /etc/hosts "$place/root/etc/hosts"
            mount --rbind /proc "$place/root/proc"
            mount --rbind /dev "$place/root/dev"
            mount -t tmpfs -o mode=1777 tmpfs "$place/root/tmp"
            mkdir "$place/root/tmp/mount"
            mount -o remount,ro,bind "$place/root"
            export PATH=/bin LC_ALL=C.UTF-8
            exec "$chroot" --userspec="$user:$user" "$place/root" "$@"
            """;

    static ImageContainer start(Path image, int user, Map<String, String> environment, String... command) {
        Path place = Scratch.directory("container");
        Path log = Scratch.directory("log").resolve("container.log");
        List<String> line = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private", "sh", "-c"));
        line.addAll(List.of(IN_CONTAINER, "sh", image.toString(), place.toString(), Integer.toString(user)));
        line.addAll(List.of(command));
        return new ImageContainer(ChildProcess.start(line, environment, log), log);
    }

    /** Runs a program to its good end, and returns what it printed. */
    static String run(Path image, int user, Map<String, String> environment, String... command) throws IOException {
        try (ImageContainer container = start(image, user, environment, command)) {
            if (!container.process.hasEndedWithin(SOON) || container.process.exitCode() != 0) {
                throw new IllegalStateException(container.process.story("has not ended well"));
            }
            return Files.readString(container.log);
        }
    }

    /** What is at a path for the program, as long as it runs. */
    Path inside(String path) {
        return Path.of("/proc/" + process.pid() + "/root" + path);
    }

    /** What the kernel says of the process, in kilobytes. */
    long kilobytes(String file, String field) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid(), file)).stream()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(file + " has no " + field));
    }

    @Override
    public void close() {
        process.close();
    }
}
