package s3csi.driver.node.pod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.driver.node.source.PrivateDirectories;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.driver.node.source.SourceNotes;
import s3csi.linux.DirectoryTree;
import s3csi.volume.mount.Names;

/**
 * The source of a Mountpoint Pod, which has the pod's name.
 *
 * @param mount where it is mounted, as in every release
 * @param notes what this release notes of it; there are none of a source that a release before mounted
 */
record PodSource(String name, Path mount, SourceNotes notes) {
    static PodSource in(Path plugin, String name) {
        return new PodSource(
                name,
                mounts(plugin).resolve(name),
                new SourceNotes(allNotes(plugin).resolve(name)));
    }

    static Path mounts(Path plugin) {
        return plugin.resolve("mnt");
    }

    private static Path allNotes(Path plugin) {
        return plugin.resolve("pods");
    }

    /** All that have a directory to be mounted at, or notes: a driver that was killed may have removed only one of them. */
    static List<PodSource> allIn(Path plugin) {
        return Stream.of(mounts(plugin), allNotes(plugin))
                .flatMap(directory -> namesIn(directory).stream())
                .filter(name -> name.startsWith(Names.SOURCE_PREFIX) && !isOfProcess(plugin, name))
                .distinct()
                .sorted()
                .map(name -> in(plugin, name))
                .toList();
    }

    /** Whether a source is that of an engine in a process: those have a comm directory in the plugin's own. */
    static boolean isOfProcess(Path plugin, String name) {
        return Files.exists(plugin.resolve("comm").resolve(name));
    }

    private static List<String> namesIn(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(path -> String.valueOf(path.getFileName())).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw NodeFailures.of("list the sources in " + directory, e);
        }
    }

    void create(SourceIdentity identity) {
        makePlace();
        note(identity);
    }

    /** Makes the directory that it is mounted at. */
    void makePlace() {
        try {
            PrivateDirectories.make(mount, "rwxr-xr-x");
        } catch (IOException e) {
            throw NodeFailures.of("make the directories of " + name, e);
        }
    }

    /** Notes what it is for, and touches nothing of what is mounted. */
    void note(SourceIdentity identity) {
        try {
            notes.create(identity);
        } catch (IOException e) {
            throw NodeFailures.of("make the notes of " + name, e);
        }
    }

    boolean exists() {
        return Files.exists(mount, LinkOption.NOFOLLOW_LINKS) || notes.exist();
    }

    /** Removes everything; nothing may be mounted any more. */
    void remove() {
        try {
            Files.deleteIfExists(mount);
            if (notes.exist()) {
                DirectoryTree.remove(notes.directory());
            }
        } catch (IOException e) {
            throw NodeFailures.of("remove the directories of " + name, e);
        }
    }
}
