package s3csi.mounter.config;

import java.util.regex.Pattern;

/**
 * What is mounted: a bucket, or what is below a prefix of it.
 *
 * @param bucket a name, or the ARN of an access point
 * @param prefix empty, or ending in a slash
 */
public record BucketSource(String bucket, String prefix) {
    private static final String SCHEME = "s3://";
    private static final String ARN = "arn:";
    private static final int SHORTEST = 3;
    private static final int LONGEST = 255;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    public BucketSource {
        if (bucket.length() < SHORTEST || bucket.length() > LONGEST) {
            throw new IllegalArgumentException("bucket names must have " + SHORTEST + " to " + LONGEST + " characters");
        }
        if (!bucket.startsWith(ARN) && !NAME.matcher(bucket).matches()) {
            throw new IllegalArgumentException("a valid bucket name is needed: letters, digits, '-', '.' and '_', or an"
                    + " s3:// URI; the bucket comes first and the directory after it");
        }
        if (!isPrefix(prefix)) {
            throw new IllegalArgumentException("prefix must end in '/'; write '" + prefix + "/'");
        }
    }

    /** Reads a name, an ARN or an {@code s3://} URI. */
    public static BucketSource parse(String text) {
        if (!isUri(text)) {
            return new BucketSource(text, "");
        }
        String rest = text.substring(SCHEME.length());
        if (rest.startsWith(ARN)) {
            throw new IllegalArgumentException("an ARN cannot be part of an s3:// URI; write the ARN alone");
        }
        int slash = rest.indexOf('/');
        return slash < 0
                ? new BucketSource(rest, "")
                : new BucketSource(rest.substring(0, slash), rest.substring(slash + 1));
    }

    public static boolean isUri(String text) {
        return text.startsWith(SCHEME);
    }

    public static boolean isPrefix(String text) {
        return text.isEmpty() || text.endsWith("/");
    }

    public BucketSource withPrefix(String value) {
        return new BucketSource(bucket, value);
    }

    public boolean isArn() {
        return bucket.startsWith(ARN);
    }

    /** As it stands in the line that reports success. */
    @Override
    public String toString() {
        return prefix.isEmpty() ? "bucket " + bucket : "prefix " + prefix + " of bucket " + bucket;
    }
}
