package s3csi.filesystem.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The file of a block: a header of 64 bytes, then the data.
 *
 * <pre>
 *  0 magic u64 | 8 object hash, 32 bytes | 40 block number u64 | 48 data length u32 | 52 CRC32C of the data u32
 * 56 zero u32  | 60 CRC32C of the 60 bytes before u32
 * </pre>
 *
 * It is not flushed to the disk: what a crash leaves half-written does not match its checksums.
 */
final class BlockFile {
    static final int HEADER = 64;

    /** ICS3BCK1 in the bytes of the file. */
    private static final long MAGIC = 0x31_4B_43_42_33_53_43_49L;

    private static final int CHECKED = 60;
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private BlockFile() {}

    /** Writes the data, from position to limit of each buffer, to a new file and renames that. */
    static void write(Path temporary, Path target, ObjectHash object, long number, ByteBuffer[] data)
            throws IOException {
        ByteBuffer header = header(object, number, length(data), checksum(data));
        try {
            try (FileChannel file = FileChannel.open(
                    temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PRIVATE)) {
                ByteBuffer[] all = prepend(header, data);
                long left = length(all);
                while (left > 0) {
                    left -= file.write(all);
                }
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    /** Fills the buffers with the data; throws if the file is not exactly this block, of exactly that length. */
    static void read(Path path, ObjectHash object, long number, ByteBuffer[] data) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        int expected = length(data);
        ByteBuffer[] checked = duplicates(data);
        // To open a pipe is to wait for whoever writes to it.
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isRegularFile()) {
            throw new CorruptBlockException(path, "it is no regular file");
        }
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer[] all = prepend(header, data);
            long left = length(all);
            while (left > 0) {
                long count = file.read(all);
                if (count < 0) {
                    throw new CorruptBlockException(path, left + " bytes are missing");
                }
                left -= count;
            }
        }
        header.flip();
        if (!header.equals(header(object, number, expected, checksum(checked)))) {
            throw new CorruptBlockException(path, "its header or its checksum is wrong");
        }
    }

    /** A file that does not hold what it should. */
    static final class CorruptBlockException extends IOException {
        CorruptBlockException(Path path, String what) {
            super(path + " is not a good block: " + what);
        }
    }

    private static ByteBuffer header(ObjectHash object, long number, int length, int dataChecksum) {
        ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC);
        object.putInto(header);
        header.putLong(number).putInt(length).putInt(dataChecksum).putInt(0);
        CRC32C checksum = new CRC32C();
        checksum.update(header.array(), 0, CHECKED);
        header.putInt((int) checksum.getValue());
        return header.flip();
    }

    private static int checksum(ByteBuffer[] data) {
        CRC32C checksum = new CRC32C();
        for (ByteBuffer each : duplicates(data)) {
            checksum.update(each);
        }
        return (int) checksum.getValue();
    }

    private static ByteBuffer[] duplicates(ByteBuffer[] data) {
        ByteBuffer[] result = new ByteBuffer[data.length];
        for (int i = 0; i < data.length; i++) {
            result[i] = data[i].duplicate();
        }
        return result;
    }

    private static ByteBuffer[] prepend(ByteBuffer first, ByteBuffer[] rest) {
        ByteBuffer[] all = new ByteBuffer[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private static int length(ByteBuffer[] data) {
        int sum = 0;
        for (ByteBuffer each : data) {
            sum += each.remaining();
        }
        return sum;
    }
}
