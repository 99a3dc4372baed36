package s3csi.volume;

/**
 * What names a volume after it was made. For provisioned volumes it is the name of the bucket; for volumes that an administrator
 * described by hand it is any text of theirs, slashes included.
 */
public record VolumeId(String text) {
    /** Longer than any handle in use; what is longer is an accident or an attack. */
    private static final int LONGEST = 1024;

    public VolumeId {
        if (text.isEmpty()) {
            throw VolumeFailure.invalid("volume_id", "volume ID is required", "Name the volume by its id");
        }
        if (Utf8.length(text) > LONGEST) {
            throw VolumeFailure.invalid(
                    "volume_id", "it has more than " + LONGEST + " bytes", "Use the id that the volume was made with");
        }
        if (!Printable.isPrintable(text)) {
            throw VolumeFailure.invalid(
                    "volume_id",
                    Printable.quoted(text) + " holds control characters",
                    "Use the id that the volume was made with");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
