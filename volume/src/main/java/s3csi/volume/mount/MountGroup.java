package s3csi.volume.mount;

import java.util.Optional;
import java.util.regex.Pattern;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** The group that a workload's files shall belong to (fsGroup), as decimal text. */
public record MountGroup(String text) {
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,9}");
    /** The largest number is the kernel's word for "no group". */
    private static final long LARGEST = 0xffff_fffeL;

    public MountGroup {
        if (!NUMBER.matcher(text).matches() || Long.parseLong(text) > LARGEST) {
            throw VolumeFailure.invalid(
                    "volume_mount_group",
                    Printable.quoted(text) + " is not the number of a group",
                    "Use a number from 0 to " + LARGEST + " as fsGroup");
        }
    }

    public static Optional<MountGroup> parse(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(new MountGroup(text));
    }

    /** Who chose a group in the options has chosen the modes with it; otherwise the group gets in and nobody else does. */
    MountOptions applyTo(MountOptions options) {
        return options.has("--gid")
                ? options
                : options.with("--gid", text)
                        .withDefault("--allow-other")
                        .withDefault("--dir-mode", "770")
                        .withDefault("--file-mode", "660");
    }
}
