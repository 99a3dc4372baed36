package s3csi.volume;

/** The name a container orchestrator gives a volume to be made; the same name always means the same volume. */
public record VolumeName(String text) {
    /** The CSI specification lets a string field have this many bytes. */
    private static final int LONGEST = 128;

    public VolumeName {
        if (text.isEmpty()) {
            throw VolumeFailure.invalid("name", "volume name is required", "Give every volume a name");
        }
        if (Utf8.length(text) > LONGEST) {
            throw VolumeFailure.invalid(
                    "name", "it has more than " + LONGEST + " bytes", "Use a name of at most " + LONGEST + " bytes");
        }
        if (!Printable.isPrintable(text)) {
            throw VolumeFailure.invalid(
                    "name", Printable.quoted(text) + " holds control characters", "Use printable characters only");
        }
    }
}
