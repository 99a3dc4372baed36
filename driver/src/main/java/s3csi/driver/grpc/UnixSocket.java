package s3csi.driver.grpc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file of a Unix socket.
 *
 * <p>The server binds a name beside the real one; only when the file has its mode is it renamed into place. So nobody can
 * connect to a socket that is not closed to others yet, and what an earlier process left under the name is replaced in one step.
 */
final class UnixSocket {
    private final Path path;

    /** The identity of the file we put there; the path may come to hold another one. */
    private volatile @Nullable Object ours;

    UnixSocket(Path path) {
        this.path = path;
    }

    /** The name to bind. */
    Path unfinished() throws IOException {
        Path directory = path.resolveSibling(".").normalize();
        if (!Files.isDirectory(directory)) {
            throw new IOException("there is no directory " + directory + "; make it, or listen elsewhere");
        }
        refuseToReplaceAnythingButASocket();
        Path unfinished = path.resolveSibling("." + path.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        return unfinished;
    }

    /** Called once the server is bound to {@link #unfinished}. */
    void putInPlace(Path unfinished) throws IOException {
        Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rwx------"));
        Object key = identity(unfinished);
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        ours = key;
    }

    /** Whether clients that open the path still reach us. */
    boolean isInPlace() {
        Object expected = ours;
        return expected != null && Objects.equals(expected, identity(path));
    }

    void remove() throws IOException {
        if (isInPlace()) {
            Files.deleteIfExists(path);
        }
    }

    private void refuseToReplaceAnythingButASocket() throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isOther()) {
                throw new IOException(path + " exists and is no socket; remove it or listen elsewhere");
            }
        } catch (NoSuchFileException e) {
            // The usual case: nothing was left there.
        }
    }

    private static @Nullable Object identity(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
        } catch (IOException e) {
            return null;
        }
    }
}
