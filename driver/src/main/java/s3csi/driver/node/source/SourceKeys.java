package s3csi.driver.node.source;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import s3csi.driver.node.VolumeMount;
import s3csi.driver.node.source.TargetNotes.Note;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.Cause;
import s3csi.volume.CredentialRules;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;

/**
 * The keys that the engine of one source works with.
 *
 * @param driverKeys the driver's own, as they are now
 */
public record SourceKeys(CredentialFiles files, Supplier<StoreKeys> driverKeys) {
    /** The keys that a volume brings, if it needs any. */
    public void write(VolumeMount mount) {
        mount.keys().ifPresent(files::write);
    }

    /** Whether the engine has other keys than the volume brings. */
    public boolean differFrom(VolumeMount mount) {
        return mount.keys().isPresent() && !files.hold(mount.keys().get());
    }

    /**
     * Brings the keys up to date for a target that is published again. They stay of the kind that the source was mounted with: emptying a
     * Secret must not put the driver's keys in its place. And they change only if the target's own did, or targets with different ones
     * would take them from each other for ever. What did not change is not written: this comes once a minute for every target.
     */
    public void refresh(SourceIdentity identity, TargetNotes targets, Path target, VolumeMount mount) {
        Note now = Note.of(target, mount);
        Optional<Note> before = targets.read(target);
        switch (identity.keys()) {
            case NONE -> {}
            case DRIVER -> files.write(driverKeys.get());
            case SECRET -> {
                requireSecret(mount);
                if (before.filter(note -> note.keys().equals(now.keys())).isEmpty()) {
                    write(mount);
                }
            }
        }
        if (before.filter(now::equals).isEmpty()) {
            targets.write(target, now);
        }
    }

    private static void requireSecret(VolumeMount mount) {
        if (mount.keys().isPresent() && mount.source() != AuthenticationSource.SECRET) {
            throw new VolumeFailure(
                    new Cause.InvalidSecret(List.of(CredentialRules.ACCESS_KEY_ID, CredentialRules.SECRET_ACCESS_KEY)));
        }
    }
}
