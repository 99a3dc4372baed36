package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import s3csi.testbed.contender.Contender;

/** Reads parts of one file of a gibibyte, one after the other, at places that no prefetch can guess. */
final class RandomRead implements Job {
    private static final String KEY = "random";
    private static final Content CONTENT = new Content(3, 1L << 30);

    private final String name;
    private final Medium medium;
    private final int size;
    private final int reads;
    private final List<Contender> contenders;
    private final ByteBuffer buffer;
    private final long[] checksums;

    RandomRead(String name, Medium medium, int size, int reads, List<Contender> contenders) {
        this.name = name;
        this.medium = medium;
        this.size = size;
        this.reads = reads;
        this.contenders = contenders;
        this.buffer = ByteBuffer.allocateDirect(size);
        this.checksums = new long[reads];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String title() {
        return "%d random reads of %d KiB in 1 GiB%s"
                .formatted(reads, size >> 10, medium == Medium.LATE ? ", 20 ms late" : "");
    }

    @Override
    public Medium medium() {
        return medium;
    }

    @Override
    public List<Contender> contenders() {
        return contenders;
    }

    @Override
    public List<Bar> bars() {
        return Bar.all(Bar.faster(2.0));
    }

    @Override
    public Work work() {
        return new Work(reads, "reads");
    }

    @Override
    public Optional<Duration> slowestPeer() {
        // 256 reads of 256 KiB took Mountpoint 1.24 s; smaller ones are no slower.
        return medium == Medium.LATE ? Optional.empty() : Optional.of(Duration.ofMillis(3 * 1240L * reads / 256));
    }

    /** One turn moves few bytes: a JVM needs several to be warm. */
    @Override
    public int warmUps() {
        return 3;
    }

    @Override
    public void prepare(BenchStore store, int rounds) {
        store.ensure(KEY, CONTENT);
    }

    @Override
    public void before(Turn turn) {
        PageCache.drop(turn.mount().resolve(KEY));
    }

    /** The same places for every contender, others in every round. */
    private long[] places(Turn turn) {
        return new Random(turn.round())
                .longs(reads, 0, CONTENT.size() / size)
                .map(index -> index * size)
                .toArray();
    }

    @Override
    public void run(Turn turn) throws IOException {
        long[] places = places(turn);
        Path file = turn.mount().resolve(KEY);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int read = 0; read < reads; read++) {
                checksums[read] = Reading.part(channel, places[read], buffer);
            }
        }
    }

    @Override
    public void check(Turn turn, BenchStore store) throws IOException {
        long[] places = places(turn);
        for (int read = 0; read < reads; read++) {
            Reading.compare("offset " + places[read], CONTENT.checksum(places[read], size), checksums[read]);
        }
    }
}
