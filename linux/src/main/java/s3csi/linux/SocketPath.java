package s3csi.linux;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A way to name a socket for the kernel, whose addresses hold 107 bytes: a longer path is named through a descriptor of its
 * directory. Open as long as the name is in use.
 */
final class SocketPath implements AutoCloseable {
    private final @Nullable Descriptor directory;
    private final String text;

    private SocketPath(@Nullable Descriptor directory, String text) {
        this.directory = directory;
        this.text = text;
    }

    static SocketPath of(Path path) throws LinuxException {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (SocketCalls.fits(path.toString()) || parent == null || name == null) {
            return new SocketPath(null, path.toString());
        }
        Descriptor directory = PlainFiles.open(parent, FileFlags.O_PATH | FileFlags.O_DIRECTORY | FileFlags.O_CLOEXEC);
        return new SocketPath(directory, "/proc/self/fd/" + directory.number() + "/" + name);
    }

    String text() {
        return text;
    }

    @Override
    public void close() {
        if (directory != null) {
            directory.close();
        }
    }
}
