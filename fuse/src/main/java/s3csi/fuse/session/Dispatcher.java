package s3csi.fuse.session;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import s3csi.fuse.AttributeChanges;
import s3csi.fuse.Capability;
import s3csi.fuse.FileSystem;
import s3csi.fuse.Negotiated;
import s3csi.fuse.Operation;
import s3csi.fuse.wire.InvalidNameException;
import s3csi.fuse.wire.MalformedRequestException;
import s3csi.fuse.wire.RequestBytes;
import s3csi.linux.Errno;

/**
 * Takes a request apart and calls the file system: the one place that knows what stands where in which request. Bodies of older kernels
 * are shorter; the minor decides where a name begins.
 */
final class Dispatcher {
    private static final int UMASK_MINOR = 12;
    private static final int LONG_WRITE_MINOR = 9;
    private static final int GETATTR_HANDLE = 1;
    private static final int DATA_ONLY = 1;
    private static final int WRITE_FROM_CACHE = 1;

    private final FileSystem fileSystem;
    private final boolean hasUmask;
    private final int writeHead;
    private final int setxattrHead;

    Dispatcher(FileSystem fileSystem, Negotiated negotiated) {
        this.fileSystem = fileSystem;
        this.hasUmask = negotiated.minor() >= UMASK_MINOR;
        this.writeHead = negotiated.minor() < LONG_WRITE_MINOR ? 24 : 40;
        this.setxattrHead = negotiated.has(Capability.SETXATTR_EXT) ? 16 : 8;
    }

    /** Handles any request that wants an answer, except INIT and DESTROY. */
    void dispatch(Operation operation, RequestBytes in, LentWriteData data, MemorySegment buffer, InlineAnswer reply)
            throws MalformedRequestException, InvalidNameException {
        long node = in.node();
        switch (operation) {
            case READ -> {
                int size = in.int32(16);
                reply.at(in.int64(8), size);
                fileSystem.read(node, in.int64(0), in.int64(8), size, in.int32OrZero(32), reply);
            }
            case WRITE -> {
                int size = in.int32(16);
                reply.at(in.int64(8), size);
                data.lend(buffer, in.position(writeHead, size), size);
                boolean fromCache = (in.int32OrZero(20) & WRITE_FROM_CACHE) != 0;
                int flags = writeHead == 40 ? in.int32(32) : 0;
                fileSystem.write(node, in.int64(0), in.int64(8), data, flags, fromCache, reply);
            }
            case LOOKUP -> fileSystem.lookup(node, reply.named(in.text(0)), reply);
            case GETATTR -> {
                boolean hasHandle = (in.int32OrZero(0) & GETATTR_HANDLE) != 0;
                fileSystem.getattr(node, hasHandle, in.int64OrZero(8), reply);
            }
            case SETATTR -> fileSystem.setattr(node, changes(in), reply);
            case READLINK -> fileSystem.readlink(node, reply);
            case SYMLINK -> fileSystem.symlink(node, reply.named(in.text(0)), in.text(in.endOfText(0)), reply);
            case LINK -> fileSystem.link(in.int64(0), node, reply.named(in.text(8)), reply);
            case MKNOD -> {
                int umask = hasUmask ? in.int32(8) : 0;
                fileSystem.mknod(node, reply.named(in.text(hasUmask ? 16 : 8)), in.int32(0), in.int32(4), umask, reply);
            }
            case MKDIR ->
                fileSystem.mkdir(node, reply.named(in.text(8)), in.int32(0), hasUmask ? in.int32(4) : 0, reply);
            case UNLINK -> fileSystem.unlink(node, reply.named(in.text(0)), reply);
            case RMDIR -> fileSystem.rmdir(node, reply.named(in.text(0)), reply);
            case RENAME -> rename(in, 8, 0, reply);
            case RENAME2 -> rename(in, 16, in.int32(8), reply);
            case OPEN -> fileSystem.open(node, in.int32(0), reply);
            case CREATE -> {
                int umask = hasUmask ? in.int32(8) : 0;
                fileSystem.create(
                        node, reply.named(in.text(hasUmask ? 16 : 8)), in.int32(0), in.int32(4), umask, reply);
            }
            case FLUSH -> fileSystem.flush(node, in.int64(0), in.int64OrZero(16), reply);
            case FSYNC -> fileSystem.fsync(node, in.int64(0), (in.int32(8) & DATA_ONLY) != 0, reply);
            case RELEASE -> fileSystem.release(node, in.int64(0), in.int32(8), reply);
            case OPENDIR -> fileSystem.opendir(node, in.int32(0), reply);
            case READDIR -> {
                reply.at(in.int64(8), in.int32(16));
                fileSystem.readdir(node, in.int64(0), in.int64(8), reply);
            }
            case READDIRPLUS -> {
                reply.at(in.int64(8), in.int32(16));
                fileSystem.readdirplus(node, in.int64(0), in.int64(8), reply);
            }
            case RELEASEDIR -> fileSystem.releasedir(node, in.int64(0), reply);
            case FSYNCDIR -> fileSystem.fsyncdir(node, in.int64(0), (in.int32(8) & DATA_ONLY) != 0, reply);
            case STATFS -> fileSystem.statfs(node, reply);
            case ACCESS -> fileSystem.access(node, in.int32(0), reply);
            case SETXATTR -> {
                int valueAt = in.endOfText(setxattrHead);
                byte[] value = in.bytes(valueAt, in.int32(0));
                fileSystem.setxattr(node, reply.named(in.text(setxattrHead)), value, in.int32(4), reply);
            }
            case GETXATTR -> {
                reply.limit = in.int32(0);
                fileSystem.getxattr(node, reply.named(in.text(8)), reply.limit, reply);
            }
            case LISTXATTR -> {
                reply.limit = in.int32(0);
                fileSystem.listxattr(node, reply.limit, reply);
            }
            case REMOVEXATTR -> fileSystem.removexattr(node, reply.named(in.text(0)), reply);
            case FALLOCATE -> fileSystem.fallocate(node, in.int64(0), in.int64(8), in.int64(16), in.int32(24), reply);
            case LSEEK -> fileSystem.lseek(node, in.int64(0), in.int64(8), in.int32(16), reply);
            case COPY_FILE_RANGE, COPY_FILE_RANGE_64 ->
                fileSystem.copyFileRange(
                        node, in.int64(0), in.int64(8), in.int64(16), in.int64(24), in.int64(32), in.int64(40), reply);
            case SYNCFS -> fileSystem.syncfs(node, reply);
            case GETLK, SETLK, SETLKW, BMAP, IOCTL, POLL, SETUPMAPPING, REMOVEMAPPING, TMPFILE, STATX ->
                reply.error(Errno.ENOSYS);
            case INIT, DESTROY, FORGET, BATCH_FORGET, INTERRUPT, NOTIFY_REPLY ->
                throw new MalformedRequestException("operation " + operation + " came where it cannot");
        }
    }

    private void rename(RequestBytes in, int names, int flags, InlineAnswer reply)
            throws MalformedRequestException, InvalidNameException {
        String newName = in.text(in.endOfText(names));
        reply.newName = newName;
        fileSystem.rename(in.node(), reply.named(in.text(names)), in.int64(0), newName, flags, reply);
    }

    private static AttributeChanges changes(RequestBytes in) throws MalformedRequestException {
        return new AttributeChanges(
                in.int32(0),
                in.int64(8),
                in.int64(16),
                time(in.int64(32), in.int32(56)),
                time(in.int64(40), in.int32(60)),
                time(in.int64(48), in.int32(64)),
                in.int32(68),
                in.int32(76),
                in.int32(80));
    }

    /** Fields that do not count may hold anything, also seconds that no Instant has. */
    private static Instant time(long seconds, int nanos) {
        if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
            return Instant.EPOCH;
        }
        return Instant.ofEpochSecond(seconds, nanos);
    }

    /** FORGET and BATCH_FORGET, which have no answer. Returns how many nodes were named. */
    int forget(Operation operation, RequestBytes in) throws MalformedRequestException {
        if (operation == Operation.FORGET) {
            fileSystem.forget(in.node(), in.int64(0));
            return 1;
        }
        int count = in.int32(0);
        for (int i = 0; i < count; i++) {
            fileSystem.forget(in.int64(8 + 16 * i), in.int64(16 + 16 * i));
        }
        return count;
    }
}
