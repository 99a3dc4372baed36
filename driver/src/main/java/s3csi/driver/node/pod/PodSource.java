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
                new SourceNotes(plugin.resolve("pods").resolve(name)));
    }

    static Path mounts(Path plugin) {
        return plugin.resolve("mnt");
    }

    /** All that have a directory to be mounted at. Those of engines in processes have a comm directory in the plugin's own. */
    static List<PodSource> allIn(Path plugin) {
        try (Stream<Path> entries = Files.list(mounts(plugin))) {
            return entries.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.startsWith(Names.SOURCE_PREFIX))
                    .filter(name -> !Files.exists(plugin.resolve("comm").resolve(name)))
                    .sorted()
                    .map(name -> in(plugin, name))
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw NodeFailures.of("list the sources in " + plugin, e);
        }
    }

    void create(SourceIdentity identity) {
        try {
            PrivateDirectories.make(mount, "rwxr-xr-x");
            notes.create(identity);
        } catch (IOException e) {
            throw NodeFailures.of("make the directories of " + name, e);
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
