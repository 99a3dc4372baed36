package s3csi.mounter.node;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import s3csi.linux.Directory;
import s3csi.linux.LinuxException;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.EngineReport;

/** The directory through which the node service and this mounter talk. */
record CommDirectory(Path path) {
    /** Says where keys are and what a bucket is called; nobody but the node service needs to read it. */
    private static final int ONLY_OURS = 0600;

    CommDirectory {
        path = path.toAbsolutePath().normalize();
    }

    Path socket() {
        return path.resolve(CommFiles.SOCKET);
    }

    /** Whether the node service has said that the end of the mount is what it wants. */
    boolean isEndWanted() {
        return Files.exists(path.resolve(CommFiles.EXIT), LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether a directory is in it, and so of the node service's making. */
    boolean holds(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        return absolute.startsWith(path) && !absolute.equals(path);
    }

    void write(EngineReport report) throws LinuxException {
        try (Directory directory = Directory.at(path)) {
            directory.replace(CommFiles.ERROR, report.toBytes(), ONLY_OURS, -1, -1);
        }
    }
}
