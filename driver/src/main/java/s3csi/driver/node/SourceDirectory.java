package s3csi.driver.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import s3csi.linux.Directory;
import s3csi.linux.DirectoryTree;
import s3csi.linux.LinuxException;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.Names;

/**
 * What belongs to one source on disk: where it is mounted, and the comm directory of its engine. The comm directory comes first and goes
 * last, so whatever has none is not ours to clean up.
 */
record SourceDirectory(String name, Path mount, Path comm) {
    /** Which volume it is the source of. */
    private static final String VOLUME = "volume";

    /** There since its engine began to serve. */
    private static final String SERVED = "served";

    static final String LOG = "mounter.log";
    private static final int LONGEST_ID = 4096;

    static SourceDirectory in(Path plugin, String name) {
        return new SourceDirectory(
                name, mounts(plugin).resolve(name), comms(plugin).resolve(name));
    }

    static Path mounts(Path plugin) {
        return plugin.resolve("mnt");
    }

    static Path comms(Path plugin) {
        return plugin.resolve("comm");
    }

    /** All of them, by what is on disk. */
    static List<SourceDirectory> allIn(Path plugin) {
        try (Stream<Path> entries = Files.list(comms(plugin))) {
            return entries.map(path -> in(plugin, String.valueOf(path.getFileName())))
                    .filter(source -> source.name().startsWith(Names.SOURCE_PREFIX))
                    .sorted(Comparator.comparing(SourceDirectory::name))
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw NodeFailures.of("list the sources in " + plugin, e);
        }
    }

    Path credentials() {
        return comm.resolve(CommFiles.CREDENTIALS);
    }

    Path cache() {
        return comm.resolve("cache");
    }

    Path log() {
        return comm.resolve(LOG);
    }

    /** Makes both directories for a volume. Only root gets into the comm directory: it holds keys. */
    void create(VolumeId volume) {
        try {
            directory(comm, "rwx------");
            directory(credentials(), "rwxr-x---");
            directory(cache(), "rwx------");
            directory(mount, "rwxr-xr-x");
            try (Directory directory = Directory.at(comm)) {
                directory.replace(VOLUME, volume.text().getBytes(StandardCharsets.UTF_8), 0600, -1, -1);
            }
        } catch (IOException e) {
            throw NodeFailures.of("make the directories of " + name, e);
        }
    }

    private static void directory(Path path, String mode) throws IOException {
        Files.createDirectories(path.getParent());
        if (!Files.isDirectory(path)) {
            Files.createDirectory(path);
        }
        // Not when it is made: the process' mask would take bits away.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    boolean isOf(VolumeId volume) {
        try (Directory directory = Directory.at(comm)) {
            byte[] text = directory.read(VOLUME, LONGEST_ID);
            return new String(text, StandardCharsets.UTF_8).equals(volume.text());
        } catch (LinuxException e) {
            throw NodeFailures.of("read which volume " + name + " is of", e);
        }
    }

    /** Tells the engine that its end is wanted. */
    void writeExit() {
        writeEmpty(CommFiles.EXIT);
    }

    void noteServed() {
        writeEmpty(SERVED);
    }

    private void writeEmpty(String name) {
        try (Directory directory = Directory.at(comm)) {
            directory.replace(name, new byte[0], 0640, -1, -1);
        } catch (LinuxException e) {
            throw NodeFailures.of("write " + comm.resolve(name), e);
        }
    }

    /** Whether its engine ever served; one that did not has nothing to finish. */
    boolean wasServed() {
        return Files.exists(comm.resolve(SERVED));
    }

    boolean exists() {
        return Files.isDirectory(comm);
    }

    /** Removes everything; nothing may be mounted any more. */
    void remove() {
        try {
            Files.deleteIfExists(mount);
            // The engine may write in it, and we are root.
            DirectoryTree.remove(comm);
        } catch (IOException e) {
            throw NodeFailures.of("remove the directories of " + name, e);
        }
    }
}
