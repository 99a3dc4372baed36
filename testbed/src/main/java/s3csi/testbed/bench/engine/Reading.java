package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/** Reading as dd does: plain reads into one buffer, with a checksum that costs next to nothing. */
final class Reading {
    static final int BUFFER = 1 << 20;

    private Reading() {}

    /** Reads a file from its beginning to its end; returns its checksum. */
    static long whole(Path file, ByteBuffer buffer) throws IOException {
        CRC32C crc = new CRC32C();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            buffer.clear();
            while (channel.read(buffer) >= 0) {
                crc.update(buffer.flip());
                buffer.clear();
            }
        }
        return crc.getValue();
    }

    /** Reads exactly one part; returns its checksum. */
    static long part(FileChannel channel, long offset, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new IOException("the file ends at " + (offset + buffer.position()) + ", before it should");
            }
        }
        CRC32C crc = new CRC32C();
        crc.update(buffer.flip());
        return crc.getValue();
    }

    static void compare(String what, long expected, long found) throws IOException {
        if (expected != found) {
            throw new IOException("%s: wrong bytes, checksum %08x instead of %08x".formatted(what, found, expected));
        }
    }
}
