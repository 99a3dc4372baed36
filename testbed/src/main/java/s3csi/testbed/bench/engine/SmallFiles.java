package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import s3csi.testbed.contender.Contender;

/** {@code cat directory/*} of 500 files of 4 KiB, in a directory that nobody has looked at before, or once more after that. */
final class SmallFiles implements Job {
    private static final int FILES = 500;
    private static final int SIZE = 4096;

    private final boolean again;
    private final List<Contender> contenders;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(2 * SIZE);
    private final Map<String, Long> checksums = new HashMap<>();

    private SmallFiles(boolean again, List<Contender> contenders) {
        this.again = again;
        this.contenders = contenders;
    }

    static SmallFiles cold(List<Contender> contenders) {
        return new SmallFiles(false, contenders);
    }

    static SmallFiles again(List<Contender> contenders) {
        return new SmallFiles(true, contenders);
    }

    @Override
    public String name() {
        return again ? "small-again" : "small-cold";
    }

    @Override
    public String title() {
        return "500 files of 4 KiB read %s, metadata valid for 60 s".formatted(again ? "again" : "for the first time");
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
    public Optional<Duration> metadataTtl() {
        return Optional.of(Duration.ofSeconds(60));
    }

    @Override
    public List<Bar> bars() {
        return Bar.all(Bar.faster(again ? 10.0 : 2.0));
    }

    @Override
    public Work work() {
        return new Work(FILES, "files");
    }

    @Override
    public Optional<Duration> slowestPeer() {
        return Optional.of(Duration.ofMillis(5200));
    }

    @Override
    public int warmUps() {
        return 2;
    }

    private String directory(int round) {
        return name() + "/" + round;
    }

    private static Content content(int round, int file) {
        return new Content(1_000_000L * (round + 1) + file, SIZE);
    }

    @Override
    public void prepare(BenchStore store, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int file = 0; file < FILES; file++) {
                store.ensure(directory(round) + "/" + file, content(round, file));
            }
        }
    }

    @Override
    public void before(Turn turn) throws IOException {
        if (again) {
            read(turn);
        }
    }

    @Override
    public void run(Turn turn) throws IOException {
        read(turn);
    }

    private void read(Turn turn) throws IOException {
        checksums.clear();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(turn.mount().resolve(directory(turn.round())))) {
            for (Path file : files) {
                checksums.put(file.getFileName().toString(), Reading.whole(file, buffer));
            }
        }
    }

    @Override
    public void check(Turn turn, BenchStore store) throws IOException {
        for (int file = 0; file < FILES; file++) {
            Long found = checksums.get(Integer.toString(file));
            if (found == null) {
                throw new IOException("file " + file + " was not listed");
            }
            Reading.compare("file " + file, content(turn.round(), file).checksum(0, SIZE), found);
        }
    }
}
