package s3csi.volume;

import java.util.regex.Pattern;

/** The name of a bucket, by the rules that every S3 store shares. */
public record BucketName(String text) {
    private static final int SHORTEST = 3;
    private static final int LONGEST = 63;
    private static final Pattern CHARACTERS = Pattern.compile("[a-z0-9][a-z0-9.-]*[a-z0-9]");
    private static final Pattern FOUR_NUMBERS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");

    public BucketName {
        String fault = faultIn(text);
        if (!fault.isEmpty()) {
            throw new IllegalArgumentException(Printable.quoted(text) + " is not a bucket name: " + fault);
        }
    }

    public static boolean isValid(String text) {
        return faultIn(text).isEmpty();
    }

    private static String faultIn(String text) {
        if (text.length() < SHORTEST || text.length() > LONGEST) {
            return "it must have " + SHORTEST + " to " + LONGEST + " characters";
        }
        if (!CHARACTERS.matcher(text).matches()) {
            return "only lower-case letters, digits, dots and hyphens are allowed,"
                    + " and it must begin and end with a letter or digit";
        }
        if (text.contains("..") || FOUR_NUMBERS.matcher(text).matches()) {
            return "it must not hold two dots in a row or look like an IP address";
        }
        return "";
    }

    @Override
    public String toString() {
        return text;
    }
}
