package s3csi.mounter.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BoundedFileTest {
    private static final long LIMIT = 300_000;

    @TempDir
    private Path scratch;

    private Path file;

    @BeforeEach
    void make() throws IOException {
        file = Files.createFile(scratch.resolve("log"));
    }

    private OutputStream bounded(OutputStream end) throws IOException {
        return new BoundedFile(end, new RandomAccessFile(file.toFile(), "rw"), LIMIT);
    }

    private static byte[] line(int number) {
        return "line %d%n".formatted(number).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void itKeepsTheNewestLinesWholeAndInOrder() throws IOException {
        try (OutputStream end = new FileOutputStream(file.toFile(), true);
                OutputStream log = bounded(end)) {
            for (int i = 0; i < 200_000; i++) {
                log.write(line(i));
                if (i % 1000 == 0) {
                    assertThat(Files.size(file)).isLessThanOrEqualTo(LIMIT);
                }
            }
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(Files.size(file)).isBetween(LIMIT / 2 - 20, LIMIT);
        int first = Integer.parseInt(lines.getFirst().substring("line ".length()));
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).isEqualTo("line " + (first + i));
        }
        assertThat(lines.getLast()).isEqualTo("line 199999");
    }

    @Test
    void whatOthersAppendedCountsAndStays() throws IOException {
        try (OutputStream end = new FileOutputStream(file.toFile(), true);
                OutputStream other = new FileOutputStream(file.toFile(), true);
                OutputStream log = bounded(end)) {
            other.write(new byte[(int) LIMIT]);
            other.write("\nsaid by the JVM\n".getBytes(StandardCharsets.UTF_8));
            log.write(line(1));
            other.write("and again\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(Files.size(file)).isLessThan(LIMIT);
        assertThat(Files.readString(file)).endsWith("\nsaid by the JVM\nline 1\nand again\n");
    }

    /** As one is that works for a process which was killed. */
    @Test
    void aThreadThatWasInterruptedDoesNotEndTheLog() throws Exception {
        OutputStream log = LogFile.create(scratch.resolve("logs"), java.time.Instant.EPOCH, new java.util.Random(1));
        Thread writer = Thread.ofVirtual().start(() -> {
            Thread.currentThread().interrupt();
            try {
                log.write(line(1));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        writer.join();
        log.write(line(2));
        try (var files = Files.list(scratch.resolve("logs"))) {
            assertThat(files.findFirst().orElseThrow()).content().isEqualTo("line 1\nline 2\n");
        }
    }

    /** What a mounter does with its standard error. */
    static final class Speaker {
        public static void main(String[] arguments) throws IOException {
            OutputStream error = BoundedFile.ofStandardError();
            error.write(line(1));
            System.err.println("by another way");
            error.write(line(2));
        }
    }

    private void speakTo(ProcessBuilder.Redirect redirect) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Speaker.class.getName())
                .redirectError(redirect)
                .start();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void standardErrorIsKeptSmallIfItIsAFileThatIsAppendedTo() throws Exception {
        byte[] half = "0123456789\n".repeat(1_500_000).getBytes(StandardCharsets.UTF_8);
        Files.write(file, half);
        Files.write(file, half, java.nio.file.StandardOpenOption.APPEND);
        Files.write(file, half, java.nio.file.StandardOpenOption.APPEND);
        speakTo(ProcessBuilder.Redirect.appendTo(file.toFile()));
        assertThat(Files.size(file)).isBetween(16L << 20, (16L << 20) + 100);
        assertThat(Files.readString(file)).startsWith("0123456789\n").endsWith("9\nline 1\nby another way\nline 2\n");
    }

    @Test
    void standardErrorIsLeftAloneIfItIsAFileOfAUser() throws Exception {
        speakTo(ProcessBuilder.Redirect.to(file.toFile()));
        assertThat(Files.readString(file)).isEqualTo("line 1\nby another way\nline 2\n");
    }
}
