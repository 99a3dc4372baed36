package s3csi.volume;

import java.util.regex.Pattern;

/** The name of a region, as it stands in signatures. Stores outside AWS choose freely, so only the characters are checked. */
public record Region(String text) {
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    /** What a store takes for its region when nobody says otherwise. */
    public static final Region DEFAULT = new Region("us-east-1");

    public Region {
        if (!isValid(text)) {
            throw VolumeFailure.invalid(
                    "region",
                    Printable.quoted(text) + " is not the name of a region",
                    "Use letters, digits and hyphens, at most 63 of them");
        }
    }

    public static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }

    @Override
    public String toString() {
        return text;
    }
}
