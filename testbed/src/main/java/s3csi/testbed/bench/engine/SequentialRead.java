package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import s3csi.testbed.contender.Contender;

/** Reads a gibibyte from front to back: one file, or several at the same time. */
record SequentialRead(String name, String title, Medium medium, int streams, List<Contender> contenders, List<Bar> bars)
        implements Job {
    private static final long TOTAL = 1L << 30;

    @Override
    public Work work() {
        return Work.mebibytes(TOTAL);
    }

    @Override
    public Optional<Duration> slowestPeer() {
        return medium == Medium.LATE ? Optional.empty() : Optional.of(Duration.ofSeconds(5));
    }

    /** A JVM compiles the read path within the first one or two gibibytes. */
    @Override
    public int warmUps() {
        return 2;
    }

    private String key(int stream) {
        return "sequential/" + streams + "/" + stream;
    }

    private Content content(int stream) {
        return new Content(100L * streams + stream, TOTAL / streams);
    }

    @Override
    public void prepare(BenchStore store, int rounds) {
        for (int stream = 0; stream < streams; stream++) {
            store.ensure(key(stream), content(stream));
            ContentChecksums.of(content(stream));
        }
    }

    @Override
    public void before(Turn turn) {
        for (int stream = 0; stream < streams; stream++) {
            PageCache.drop(turn.mount().resolve(key(stream)));
        }
    }

    @Override
    public void run(Turn turn) throws IOException {
        try (ExecutorService readers =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Long>> checksums = new ArrayList<>();
            for (int stream = 0; stream < streams; stream++) {
                Path file = turn.mount().resolve(key(stream));
                checksums.add(readers.submit(() -> Reading.whole(file, ByteBuffer.allocateDirect(Reading.BUFFER))));
            }
            for (int stream = 0; stream < streams; stream++) {
                Reading.compare(key(stream), ContentChecksums.of(content(stream)), result(checksums.get(stream)));
            }
        }
    }

    private static long result(Future<Long> reader) throws IOException {
        try {
            return reader.get();
        } catch (ExecutionException failure) {
            throw new IOException("a reader failed: " + failure.getCause(), failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading", interrupted);
        }
    }

    /** Reading compared already, at no cost. */
    @Override
    public void check(Turn turn, BenchStore store) {}
}
