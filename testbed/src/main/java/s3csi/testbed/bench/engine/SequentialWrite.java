package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import s3csi.testbed.contender.Contender;

/** Writes half a gibibyte from front to back into a new file and closes it: the object is in the store then. */
final class SequentialWrite implements Job {
    private static final Content CONTENT = new Content(7, 512L << 20);

    private final List<Contender> contenders;
    // All of it, because making it takes longer than an engine may need to take it.
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    SequentialWrite(List<Contender> contenders) {
        this.contenders = contenders;
    }

    @Override
    public String name() {
        return "write";
    }

    @Override
    public String title() {
        return "sequential write of 512 MiB, closed";
    }

    @Override
    public Medium medium() {
        return Medium.PLAIN;
    }

    @Override
    public List<Contender> contenders() {
        return contenders;
    }

    @Override
    public List<Bar> bars() {
        return Bar.all(Bar.faster(1.0), Bar.cpu(1.0));
    }

    @Override
    public Work work() {
        return Work.mebibytes(CONTENT.size());
    }

    @Override
    public Optional<Duration> slowestPeer() {
        return Optional.of(Duration.ofSeconds(6));
    }

    @Override
    public int warmUps() {
        return 2;
    }

    @Override
    public void prepare(BenchStore store, int rounds) {
        bytes = CONTENT.fill(ByteBuffer.allocateDirect(Math.toIntExact(CONTENT.size())), 0);
        ContentChecksums.of(CONTENT);
    }

    private static String file(Turn turn) {
        return "written-%s-%d".formatted(turn.contender().label(), turn.round());
    }

    @Override
    public void run(Turn turn) throws IOException {
        try (FileChannel channel = FileChannel.open(
                turn.mount().resolve(file(turn)), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            for (int offset = 0; offset < bytes.capacity(); offset += Reading.BUFFER) {
                ByteBuffer slice = bytes.slice(offset, Reading.BUFFER);
                while (slice.hasRemaining()) {
                    channel.write(slice);
                }
            }
        }
    }

    @Override
    public void check(Turn turn, BenchStore store) throws IOException {
        Reading.compare(file(turn), ContentChecksums.of(CONTENT), store.checksum(file(turn)));
        store.delete(file(turn));
    }
}
