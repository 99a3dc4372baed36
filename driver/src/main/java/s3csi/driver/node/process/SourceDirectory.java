package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.driver.node.source.PrivateDirectories;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.driver.node.source.SourceNotes;
import s3csi.linux.Directory;
import s3csi.linux.DirectoryTree;
import s3csi.linux.LinuxException;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.Names;

/**
 * What belongs to one source on disk: where it is mounted, and the comm directory of its engine. The comm directory comes first and goes
 * last, so whatever has none is not ours to clean up.
 */
record SourceDirectory(String name, Path mount, Path comm) {
    static final String LOG = "mounter.log";

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

    /** What this driver and the next have to know of it. The engine of a process is ours: it may have them beside its own files. */
    SourceNotes notes() {
        return new SourceNotes(comm);
    }

    /** Makes both directories for a volume. Only root gets into the comm directory: it holds keys. */
    void create(SourceIdentity identity) {
        try {
            PrivateDirectories.make(comm, "rwx------");
            PrivateDirectories.make(credentials(), "rwxr-x---");
            PrivateDirectories.make(cache(), "rwx------");
            PrivateDirectories.make(mount, "rwxr-xr-x");
            notes().create(identity);
        } catch (IOException e) {
            throw NodeFailures.of("make the directories of " + name, e);
        }
    }

    /** Tells the engine that its end is wanted. */
    void writeExit() {
        try (Directory directory = Directory.at(comm)) {
            directory.replace(CommFiles.EXIT, new byte[0], 0640, -1, -1);
        } catch (LinuxException e) {
            throw NodeFailures.of("write " + comm.resolve(CommFiles.EXIT), e);
        }
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
