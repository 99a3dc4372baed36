package s3csi.driver.node.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.linux.DeviceNumber;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;

/**
 * What a driver notes of a source, for itself and for the one that follows it: what it was mounted for, which device it is, and how its
 * targets were published. Only root gets into the directory.
 */
public record SourceNotes(Path directory) {
    /** What it was mounted for: a {@link SourceIdentity}. */
    private static final String IDENTITY = "identity";

    /** There since its engine began to serve: the number of the device that it serves. */
    private static final String SERVED = "served";

    private static final String TARGETS = "targets";

    private static final int LARGEST_IDENTITY = 4096;
    private static final int LARGEST_DEVICE = 64;
    private static final Pattern DEVICE = Pattern.compile("[0-9]{1,9}:[0-9]{1,9}");

    /** Makes what is missing of the directories, and notes what the source is for. */
    public void create(SourceIdentity identity) throws IOException {
        PrivateDirectories.make(directory, "rwx------");
        PrivateDirectories.make(directory.resolve(TARGETS), "rwx------");
        write(IDENTITY, identity.text(), 0600);
    }

    public boolean exist() {
        return Files.isDirectory(directory);
    }

    /** What it was mounted for; empty if a release made it that wrote something else, or nothing. */
    public Optional<SourceIdentity> identity() {
        return read(IDENTITY, LARGEST_IDENTITY).flatMap(SourceIdentity::parse);
    }

    public void noteServed(DeviceNumber device) {
        write(SERVED, device.toString(), 0640);
    }

    /** What its engine serves, or served; empty before, and if a release wrote the note that did not name it. */
    public Optional<DeviceNumber> servedDevice() {
        return read(SERVED, LARGEST_DEVICE)
                .filter(text -> DEVICE.matcher(text).matches())
                .map(DeviceNumber::parse);
    }

    /** Whether its engine ever served; one that did not has nothing to finish. */
    public boolean wasServed() {
        return Files.exists(directory.resolve(SERVED));
    }

    /** How its targets were published. */
    public TargetNotes targets() {
        return new TargetNotes(directory.resolve(TARGETS));
    }

    private void write(String name, String text, int mode) {
        try (Directory opened = Directory.at(directory)) {
            opened.replace(name, text.getBytes(StandardCharsets.UTF_8), mode, -1, -1);
        } catch (LinuxException e) {
            throw NodeFailures.of("write " + directory.resolve(name), e);
        }
    }

    private Optional<String> read(String name, int limit) {
        try (Directory opened = Directory.at(directory)) {
            return Optional.of(new String(opened.read(name, limit), StandardCharsets.UTF_8));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw NodeFailures.of("read " + directory.resolve(name), e);
        }
    }
}
