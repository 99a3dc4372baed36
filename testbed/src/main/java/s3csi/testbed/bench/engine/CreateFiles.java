package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import s3csi.testbed.contender.Contender;

/** Creates tiny files, one after the other, in a new directory; each is in the store when it is closed. */
record CreateFiles(List<Contender> contenders) implements Job {
    private static final int FILES = 1000;
    private static final byte[] BYTES = new byte[100];

    @Override
    public String name() {
        return "create";
    }

    @Override
    public String title() {
        return "1,000 files of 100 bytes created";
    }

    @Override
    public Medium medium() {
        return Medium.PLAIN;
    }

    @Override
    public List<Bar> bars() {
        return Bar.all(Bar.faster(1.5));
    }

    @Override
    public Work work() {
        return new Work(FILES, "files");
    }

    @Override
    public Optional<Duration> slowestPeer() {
        return Optional.of(Duration.ofMillis(18_600));
    }

    private static String directory(Turn turn) {
        return "created-%s-%d".formatted(turn.contender().label(), turn.round());
    }

    @Override
    public void prepare(BenchStore store, int rounds) {
        // Everything is made in the turns.
    }

    @Override
    public void before(Turn turn) throws IOException {
        Files.createDirectory(turn.mount().resolve(directory(turn)));
    }

    @Override
    public void run(Turn turn) throws IOException {
        Path directory = turn.mount().resolve(directory(turn));
        for (int file = 0; file < FILES; file++) {
            Files.write(directory.resolve("file-" + file), BYTES, StandardOpenOption.CREATE_NEW);
        }
    }

    @Override
    public void check(Turn turn, BenchStore store) throws IOException {
        long found = store.count(directory(turn) + "/file-", BYTES.length);
        if (found != FILES) {
            throw new IOException("the store has %d of %d files".formatted(found, FILES));
        }
    }
}
