package s3csi.volume;

import java.util.Locale;

/** Whose keys a mount uses: those of the driver, or those of the Secret that comes with the volume. */
public enum AuthenticationSource {
    DRIVER,
    SECRET;

    /** As it stands in the attributes of a volume. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
