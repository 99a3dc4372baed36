package s3csi.mounter.log;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A log file that lives as long as its mount and stays small: when it is full, its older half goes.
 *
 * <p>No second file with a number behind its name, because the log of an engine that a driver started is known to it by a descriptor only. Nothing in
 * here is a channel: those are closed for good when a thread writes to them that was interrupted, as one whose caller was killed is.
 */
public final class BoundedFile extends OutputStream {
    /** Some 200,000 lines. */
    private static final long LIMIT = 32 << 20;

    private static final int CHUNK = 1 << 16;
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final Path ITS_FLAGS = Path.of("/proc/self/fdinfo/2");
    private static final int O_APPEND = 02000;

    private final OutputStream end;
    private final RandomAccessFile file;
    private final long limit;

    /**
     * @param end writes to the end of the file, wherever that is
     * @param file the same file
     */
    BoundedFile(OutputStream end, RandomAccessFile file, long limit) {
        this.end = end;
        this.file = file;
        this.limit = limit;
    }

    static BoundedFile of(OutputStream end, Path path) throws IOException {
        return new BoundedFile(end, new RandomAccessFile(path.toFile(), "rw"), LIMIT);
    }

    /**
     * Standard error, and if it is a file that is appended to, kept small: a driver that starts a mounter gives it such a file. A user who sends
     * it to a file of his own, to read all of it, does not append.
     */
    public static OutputStream ofStandardError() {
        try {
            return isAppended() ? of(System.err, STANDARD_ERROR) : System.err;
        } catch (IOException e) {
            System.err.println("the log may grow without limit: " + e);
            return System.err;
        }
    }

    private static boolean isAppended() throws IOException {
        if (!Files.isRegularFile(STANDARD_ERROR)) {
            return false;
        }
        return Files.readString(ITS_FLAGS, StandardCharsets.US_ASCII)
                .lines()
                .filter(line -> line.startsWith("flags:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring("flags:".length()).strip(), 8))
                .anyMatch(flags -> (flags & O_APPEND) != 0);
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) throws IOException {
        if (file.length() + count > limit) {
            dropOlderHalf();
        }
        end.write(bytes, from, count);
    }

    @Override
    public void flush() throws IOException {
        end.flush();
    }

    private void dropOlderHalf() throws IOException {
        byte[] chunk = new byte[CHUNK];
        long from = startOfLine(file.length() - limit / 2, chunk);
        long to = 0;
        for (int count = read(from, chunk); count > 0; count = read(from, chunk)) {
            file.seek(to);
            file.write(chunk, 0, count);
            from += count;
            to += count;
        }
        file.setLength(to);
    }

    private int read(long from, byte[] chunk) throws IOException {
        file.seek(from);
        return file.read(chunk);
    }

    /** The first line that begins behind the position; the position itself if none does within a chunk. */
    private long startOfLine(long position, byte[] chunk) throws IOException {
        int count = read(position, chunk);
        for (int i = 0; i < count; i++) {
            if (chunk[i] == '\n') {
                return position + i + 1;
            }
        }
        return position;
    }
}
