package s3csi.driver.node.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Directories of the driver's own, with exactly the rights that they shall have. */
public final class PrivateDirectories {
    private PrivateDirectories() {}

    /** Makes the directory if it is not there, and those above it. */
    public static void make(Path path, String mode) throws IOException {
        Files.createDirectories(path.getParent());
        if (!Files.isDirectory(path)) {
            Files.createDirectory(path);
        }
        // Not when it is made: the process' mask would take bits away.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
}
