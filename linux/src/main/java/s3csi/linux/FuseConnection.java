package s3csi.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel lets an administrator do with a FUSE mount from outside, found by the device number of the mount.
 *
 * @param control where the fusectl file system is mounted, usually {@link #CONTROL}
 */
public record FuseConnection(DeviceNumber device, Path control) {
    /** The usual place of the fusectl file system. A container may have to mount it, see {@link Mounts#mountFuseControl}. */
    public static final Path CONTROL = Path.of("/sys/fs/fuse/connections");

    /**
     * As much as one request carries, where the kernel begins with 128 KiB: for servers that are far from their data, to which one
     * large request is cheaper than many small ones.
     */
    public static final int LARGE_READ_AHEAD_KIB = 1024;

    private static final Path BDI = Path.of("/sys/class/bdi");

    public static FuseConnection of(DeviceNumber device) {
        return new FuseConnection(device, CONTROL);
    }

    /**
     * Ends the connection: everybody who waits gets ECONNABORTED or ENOTCONN at once, the server reads ENODEV. The way to set
     * processes free that wait for a server that is gone. Needs the fusectl file system, see {@link #hasControl}.
     */
    public void abort() throws LinuxException {
        write(directory().resolve("abort"), "1");
    }

    /** Whether the abort file is there: the fusectl file system is mounted and shows this connection. */
    public boolean hasControl() {
        return Files.exists(directory().resolve("abort"));
    }

    /** How many requests wait for the server or for being read by it. */
    public int waiting() throws IOException {
        try (Descriptor file =
                PlainFiles.open(directory().resolve("waiting"), FileFlags.O_RDONLY | FileFlags.O_CLOEXEC)) {
            return Integer.parseInt(new String(PlainFiles.read(file, 64), StandardCharsets.US_ASCII).strip());
        }
    }

    /** Sets how far the kernel reads ahead; INIT can only lower what is set here. */
    public void setReadAhead(int kibibytes) throws LinuxException {
        write(BDI.resolve(device.toString()).resolve("read_ahead_kb"), Integer.toString(kibibytes));
    }

    private Path directory() {
        // The kernel names the directory after the whole device number; with major 0 that is the minor.
        return control.resolve(Integer.toString(device.minor()));
    }

    private static void write(Path path, String text) throws LinuxException {
        try (Descriptor file = PlainFiles.open(path, FileFlags.O_WRONLY | FileFlags.O_CLOEXEC)) {
            PlainFiles.write(file, text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
