package s3csi.testbed.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;

/**
 * What a mount is trained with, whoever made it: files small and large are written, listed and read. Often enough for the JVM to learn
 * how methods are used, which goes into the cache, too: the first thousands of requests of a mount are faster for it.
 */
final class Exercise {
    private static final int ROUNDS = 10;
    private static final int FILES_A_ROUND = 200;
    private static final int PLACES_A_ROUND = 200;
    private static final int PLACE = 4096;
    private static final int WRITTEN_A_ROUND = 30;
    private static final int SMALL = 10_000;

    /** Files that are there before. */
    static final int STORED = ROUNDS * FILES_A_ROUND;

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
        Random random = new Random(round);
        random.nextBytes(large);
        Path file = mount.resolve("large-" + round);
        Files.write(file, large);
        readPlaces(file, random);
        if (!Arrays.equals(large, Files.readAllBytes(file))) {
            throw new IllegalStateException("the mount gave back other bytes than were written");
        }
        for (int number = round * FILES_A_ROUND; number < (round + 1) * FILES_A_ROUND; number++) {
            Files.readAllBytes(mount.resolve(TrainingStore.stored(number)));
        }
        for (int number = 0; number < WRITTEN_A_ROUND; number++) {
            Files.write(mount.resolve("small-" + number), new byte[SMALL]);
        }
        try (var names = Files.list(mount)) {
            names.forEach(name -> name.toFile().length());
        }
        Files.delete(mount.resolve("small-0"));
    }

    /** Of a file that the kernel has nothing of yet, so that the engine is asked. */
    private static void readPlaces(Path file, Random random) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(PLACE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int read = 0; read < PLACES_A_ROUND; read++) {
                channel.read(buffer.clear(), (long) random.nextInt(LARGE / PLACE) * PLACE);
            }
        }
    }
}
