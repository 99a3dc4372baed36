package s3csi.linux;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * An open FUSE device: the connection between the kernel and whoever serves a mount.
 *
 * <p>Reads and writes of several threads may run at the same time; each read returns one whole request, each write takes one
 * whole answer. They return negative error numbers instead of throwing, because several of them are part of the protocol and the
 * path must not allocate.
 */
public final class FuseDevice implements AutoCloseable {
    /** Where the device is. */
    public static final Path PATH = Path.of("/dev/fuse");

    static final int MAJOR = 10;
    static final int MINOR = 229;

    // Pointers are passed as longs: a segment argument would take and give back a hold on its arena with every call.
    private static final CFunction READ = CFunction.named("read");
    private static final CFunction WRITEV = CFunction.named("writev");

    private final Descriptor descriptor;

    private FuseDevice(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Opens the device anew; a mount call then ties it to a mount. It is closed on exec. */
    public static FuseDevice open() throws LinuxException {
        return new FuseDevice(PlainFiles.open(PATH, FileFlags.O_RDWR | FileFlags.O_CLOEXEC));
    }

    /**
     * Takes over a descriptor that somebody else opened and mounted. It is checked to be the FUSE device, open for reading and
     * writing; if it is not, it stays the caller's.
     */
    public static FuseDevice adopt(Descriptor descriptor) throws LinuxException, NotAFuseDeviceException {
        FileStatus status;
        try {
            status = FileStatus.of(descriptor);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EBADF) {
                throw new NotAFuseDeviceException(descriptor.number(), "it is not an open file descriptor");
            }
            throw e;
        }
        if (!status.isCharacterDevice() || status.deviceMajor() != MAJOR || status.deviceMinor() != MINOR) {
            throw new NotAFuseDeviceException(
                    descriptor.number(),
                    "it is not /dev/fuse but " + status.kind() + "; open " + PATH + " and mount on it");
        }
        if ((descriptor.statusFlags() & FileFlags.O_ACCMODE) != FileFlags.O_RDWR) {
            throw new NotAFuseDeviceException(
                    descriptor.number(), "it was not opened for reading and writing; open " + PATH + " with O_RDWR");
        }
        return new FuseDevice(descriptor);
    }

    public Descriptor descriptor() {
        return descriptor;
    }

    /** Waits for a request and reads it. The length, or a negative error number: ENODEV when the mount is gone. */
    public int read(MemorySegment buffer, CallState state) {
        if (!descriptor.beginUse()) {
            return -Errno.ENODEV;
        }
        try {
            long result = READ.call(state.captured(), descriptor.number(), buffer.address(), buffer.byteSize());
            return result < 0 ? -Native.errno(state.captured()) : (int) result;
        } finally {
            descriptor.endUse();
        }
    }

    /** Writes one answer or notification. 0, or a negative error number: ENOENT when nobody waits for it any more. */
    public int write(IoVector vector) {
        if (!descriptor.beginUse()) {
            return -Errno.ENODEV;
        }
        try {
            long result = WRITEV.call(vector.captured(), descriptor.number(), vector.address(), vector.count());
            return result < 0 ? -Native.errno(vector.captured()) : 0;
        } finally {
            descriptor.endUse();
        }
    }

    /** Closes the descriptor. The connection dies with its last one: who waits gets ENOTCONN. */
    @Override
    public void close() {
        descriptor.close();
    }
}
