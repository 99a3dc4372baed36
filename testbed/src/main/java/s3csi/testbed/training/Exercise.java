package s3csi.testbed.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** What a mount is trained with, whoever made it: files small and large are written, listed and read. */
final class Exercise {
    private static final int ROUNDS = 3;
    private static final int SMALL = 10_000;

    /** Three parts. */
    private static final int LARGE = 20 << 20;

    private Exercise() {}

    static boolean mayMount() {
        return System.getProperty("user.name").equals("root") && Files.isWritable(Path.of("/dev/fuse"));
    }

    static void in(Path mount) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            once(mount, round);
        }
    }

    private static void once(Path mount, int round) throws IOException {
        byte[] large = new byte[LARGE];
        new Random(round).nextBytes(large);
        byte[] small = new byte[SMALL];
        Path file = mount.resolve("large-" + round);
        Files.write(file, large);
        Files.write(mount.resolve("small-" + round), small);
        try (var names = Files.list(mount)) {
            names.forEach(name -> name.toFile().length());
        }
        if (!Arrays.equals(large, Files.readAllBytes(file))) {
            throw new IllegalStateException("the mount gave back other bytes than were written");
        }
        Files.readAllBytes(mount.resolve("small-" + round));
        Files.delete(mount.resolve("small-" + round));
    }
}
