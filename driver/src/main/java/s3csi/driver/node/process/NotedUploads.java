package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.volume.mount.Names;

/**
 * Where the engines of a volume note which uploads they began. It outlives them and their sources: what one left behind that was killed
 * is aborted by the next engine of the volume on this node, whenever that is and whatever its options are.
 */
record NotedUploads(Path directory) {
    /** An engine has a directory of its own in it, with this file and one for each upload that has not ended. */
    private static final String LOCK = "lock";

    static NotedUploads of(Path plugin, SourceIdentity source) {
        return new NotedUploads(
                plugin.resolve("uploads").resolve(Names.digest(List.of(source.volume(), source.bucket()))));
    }

    void create() {
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw NodeFailures.of("make the directory " + directory, e);
        }
    }

    /** Removes what engines left that had nothing to abort. No engine of the volume may run. */
    void removeWhatIsDone() {
        try {
            for (Path engine : children(directory)) {
                List<Path> files = children(engine);
                if (files.stream().allMatch(file -> file.endsWith(LOCK))) {
                    for (Path file : files) {
                        Files.delete(file);
                    }
                    Files.delete(engine);
                }
            }
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException _) {
            // The next engine has something to abort.
        } catch (IOException e) {
            throw NodeFailures.of("clean up " + directory, e);
        }
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
