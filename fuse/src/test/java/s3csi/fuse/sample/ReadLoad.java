package s3csi.fuse.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Reads a file for some seconds and prints how many reads it made: path, kind, block size, threads, seconds. */
public final class ReadLoad {
    private ReadLoad() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        boolean random = arguments[1].equals("random");
        int blockSize = Integer.parseInt(arguments[2]);
        long nanos = Integer.parseInt(arguments[4]) * 1_000_000_000L;
        AtomicLong reads = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
            int seed = i;
            threads.add(Thread.ofPlatform().start(() -> reads.addAndGet(read(file, random, blockSize, nanos, seed))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(reads.get());
    }

    private static long read(Path file, boolean random, int blockSize, long nanos, int seed) {
        SplittableRandom numbers = new SplittableRandom(seed);
        ByteBuffer buffer = ByteBuffer.allocateDirect(blockSize);
        try (FileChannel channel = FileChannel.open(file)) {
            long blocks = channel.size() / blockSize;
            long end = System.nanoTime() + nanos;
            long count = 0;
            while (System.nanoTime() < end) {
                buffer.clear();
                long block = random ? numbers.nextLong(blocks) : count % blocks;
                if (channel.read(buffer, block * blockSize) != blockSize) {
                    throw new IOException("a short read of block " + block);
                }
                count++;
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
