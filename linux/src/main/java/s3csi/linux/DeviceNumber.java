package s3csi.linux;

/** The number of the device behind a file system. All mounts of one file system share it, and no other has it. */
public record DeviceNumber(int major, int minor) {
    /** Reads {@code major:minor} as the mount table writes it. */
    public static DeviceNumber parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("a device number is major:minor, not \"" + text + "\"");
        }
        return new DeviceNumber(
                Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return major + ":" + minor;
    }
}
