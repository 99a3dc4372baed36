package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.driver.node.source.SourceIdentity;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Directory;
import s3csi.linux.DirectoryTree;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.Names;

/**
 * What belongs to one source on disk: where it is mounted, and the comm directory of its engine. The comm directory comes first and goes
 * last, so whatever has none is not ours to clean up.
 */
record SourceDirectory(String name, Path mount, Path comm) {
    /** What it was mounted for: a {@link SourceIdentity}. */
    private static final String IDENTITY = "identity";

    /** There since its engine began to serve: the number of the device that it serves. */
    private static final String SERVED = "served";

    private static final String TARGETS = "targets";

    static final String LOG = "mounter.log";
    private static final int LARGEST_IDENTITY = 4096;
    private static final int LARGEST_DEVICE = 64;
    private static final Pattern DEVICE = Pattern.compile("[0-9]{1,9}:[0-9]{1,9}");

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

    /** How its targets were published. */
    TargetNotes targets() {
        return new TargetNotes(comm.resolve(TARGETS));
    }

    /** Makes both directories for a volume. Only root gets into the comm directory: it holds keys. */
    void create(SourceIdentity identity) {
        try {
            directory(comm, "rwx------");
            directory(credentials(), "rwxr-x---");
            directory(cache(), "rwx------");
            directory(comm.resolve(TARGETS), "rwx------");
            directory(mount, "rwxr-xr-x");
            try (Directory directory = Directory.at(comm)) {
                directory.replace(IDENTITY, identity.text().getBytes(StandardCharsets.UTF_8), 0600, -1, -1);
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

    /** What it was mounted for; empty if a release made it that wrote something else. */
    Optional<SourceIdentity> identity() {
        return read(IDENTITY, LARGEST_IDENTITY, "read what " + name + " was mounted for")
                .flatMap(SourceIdentity::parse);
    }

    /** Tells the engine that its end is wanted. */
    void writeExit() {
        write(CommFiles.EXIT, "");
    }

    void noteServed(DeviceNumber device) {
        write(SERVED, device.toString());
    }

    private void write(String name, String text) {
        try (Directory directory = Directory.at(comm)) {
            directory.replace(name, text.getBytes(StandardCharsets.US_ASCII), 0640, -1, -1);
        } catch (LinuxException e) {
            throw NodeFailures.of("write " + comm.resolve(name), e);
        }
    }

    /** What its engine serves, or served; empty before, and if a release wrote the note that did not name it. */
    Optional<DeviceNumber> servedDevice() {
        return read(SERVED, LARGEST_DEVICE, "read which device " + name + " is")
                .filter(text -> DEVICE.matcher(text).matches())
                .map(DeviceNumber::parse);
    }

    private Optional<String> read(String file, int limit, String action) {
        try (Directory directory = Directory.at(comm)) {
            return Optional.of(new String(directory.read(file, limit), StandardCharsets.UTF_8));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw NodeFailures.of(action, e);
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
