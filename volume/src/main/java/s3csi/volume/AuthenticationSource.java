package s3csi.volume;

import java.util.Locale;

/** Whose keys a mount uses: those of the driver, or those of the Secret that comes with the volume. */
public enum AuthenticationSource {
    DRIVER,
    SECRET;

    /** Reads the attribute of a volume; one that is not set means the driver. */
    public static AuthenticationSource parse(String text) {
        return switch (text) {
            case "", "driver" -> DRIVER;
            case "secret" -> SECRET;
            default ->
                throw VolumeFailure.invalid(
                        "volume_context." + VolumeContext.AUTHENTICATION_SOURCE,
                        "unknown authenticationSource: " + Printable.quoted(text)
                                + ", only driver (default) and secret supported",
                        "Correct spec.csi.volumeAttributes of the PersistentVolume");
        };
    }

    /** As it stands in the attributes of a volume. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
