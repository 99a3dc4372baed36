package s3csi.driver.node.source;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.volume.StoreKeys;
import s3csi.volume.mount.Names;

/**
 * How each target of a source was last published, a file each in a directory next to the source: so the next driver knows, too. Keys
 * are not among it, only a digest that tells whether they changed.
 */
public final class TargetNotes {
    private static final String READ_ONLY = "ro";
    private static final String WRITABLE = "rw";
    private static final int LARGEST = 1024;

    private final Path directory;

    TargetNotes(Path directory) {
        this.directory = directory;
    }

    /**
     * What a target asked for.
     *
     * @param keys their digest; of none where the volume needs none
     */
    public record Note(boolean readOnly, String keys) {
        /** The target is part of the digest: two with the same keys cannot be told from it. */
        public static Note of(Path target, VolumeMount mount) {
            List<String> facts = mount.keys()
                    .map(keys -> List.of(target.toString(), keys.accessKeyId(), keys.secretAccessKey(), token(keys)))
                    .orElse(List.of(target.toString()));
            return new Note(mount.readOnly(), Names.digest(facts));
        }

        private static String token(StoreKeys keys) {
            return keys.sessionToken().orElse("");
        }
    }

    public Optional<Note> read(Path target) {
        try (Directory opened = Directory.at(directory)) {
            String text = new String(opened.read(nameOf(target), LARGEST), StandardCharsets.UTF_8);
            String[] words = text.split(" ", -1);
            return words.length == 2 ? Optional.of(new Note(words[0].equals(READ_ONLY), words[1])) : Optional.empty();
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw NodeFailures.of("read how " + target + " was published", e);
        }
    }

    public void write(Path target, Note note) {
        String text = (note.readOnly() ? READ_ONLY : WRITABLE) + " " + note.keys();
        try (Directory opened = Directory.at(directory)) {
            opened.replace(nameOf(target), text.getBytes(StandardCharsets.UTF_8), 0600, -1, -1);
        } catch (LinuxException e) {
            throw NodeFailures.of("note how " + target + " is published", e);
        }
    }

    public void remove(Path target) {
        try (Directory opened = Directory.at(directory)) {
            opened.removeIfPresent(nameOf(target));
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw NodeFailures.of("forget how " + target + " was published", e);
            }
        }
    }

    private static String nameOf(Path target) {
        return Names.digest(List.of(target.toString()));
    }
}
