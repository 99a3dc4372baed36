package s3csi.testbed.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A tar in the form of POSIX 1988 (ustar). Everything in it belongs to root and has one time, so that its bytes depend on the names, modes
 * and contents alone.
 */
final class TarWriter implements Closeable {
    private static final int BLOCK = 512;
    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_PREFIX = 155;
    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_LENGTH = 8;

    private final OutputStream out;
    private final long seconds;

    TarWriter(OutputStream out, Instant time) {
        this.out = out;
        this.seconds = time.getEpochSecond();
    }

    void directory(String name, int mode) throws IOException {
        header(name + "/", mode, 0, '5', "");
    }

    void link(String name, String target) throws IOException {
        header(name, 0777, 0, '2', target);
    }

    void file(String name, int mode, byte[] content) throws IOException {
        header(name, mode, content.length, '0', "");
        out.write(content);
        pad(content.length);
    }

    void file(String name, int mode, Path content) throws IOException {
        long size = Files.size(content);
        header(name, mode, size, '0', "");
        if (Files.copy(content, out) != size) {
            throw new IOException(content + " changed while it was copied into an archive");
        }
        pad(size);
    }

    /** Places and lengths of the fields are those of the format. */
    private void header(String name, int mode, long size, char type, String target) throws IOException {
        int split = split(name);
        byte[] header = new byte[BLOCK];
        put(header, 0, LONGEST_NAME, split < 0 ? name : name.substring(split + 1));
        put(header, 100, 8, octal(mode, 7));
        put(header, 108, 8, octal(0, 7));
        put(header, 116, 8, octal(0, 7));
        put(header, 124, 12, octal(size, 11));
        put(header, 136, 12, octal(seconds, 11));
        put(header, CHECKSUM_AT, CHECKSUM_LENGTH, " ".repeat(CHECKSUM_LENGTH));
        header[156] = (byte) type;
        put(header, 157, LONGEST_NAME, target);
        put(header, 257, 8, "ustar\00000");
        put(header, 345, LONGEST_PREFIX, split < 0 ? "" : name.substring(0, split));
        int sum = 0;
        for (byte each : header) {
            sum += Byte.toUnsignedInt(each);
        }
        put(header, CHECKSUM_AT, CHECKSUM_LENGTH, octal(sum, 6) + "\0 ");
        out.write(header);
    }

    /** Where a long name is cut in two at a slash; -1 if it need not or cannot be. */
    private static int split(String name) {
        if (length(name) <= LONGEST_NAME) {
            return -1;
        }
        int slash = name.indexOf('/');
        while (slash >= 0 && length(name.substring(slash + 1)) > LONGEST_NAME) {
            slash = name.indexOf('/', slash + 1);
        }
        return slash;
    }

    private static int length(String text) {
        return text.getBytes(UTF_8).length;
    }

    private static String octal(long number, int digits) throws IOException {
        String text = Long.toOctalString(number);
        if (text.length() > digits) {
            throw new IOException("the number " + number + " does not fit into an archive");
        }
        return "0".repeat(digits - text.length()) + text;
    }

    private static void put(byte[] header, int at, int longest, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length > longest) {
            throw new IOException("'" + text + "' is longer than an archive can hold: move the file to a shorter path");
        }
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private void pad(long size) throws IOException {
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    /** Two empty blocks are the end. */
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
