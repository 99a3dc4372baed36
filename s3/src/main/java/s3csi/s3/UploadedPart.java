package s3csi.s3;

import org.jspecify.annotations.Nullable;

/**
 * A part that the store has taken; the list of them completes the upload.
 *
 * @param number 1 to 10,000
 * @param checksum in base64, of the upload's algorithm; null when the store gave none for a server-side copy
 */
public record UploadedPart(
        int number, long size, ETag etag, @Nullable String checksum) {
    public static final int MOST_PARTS = 10_000;

    public UploadedPart {
        checkNumber(number);
    }

    public static int checkNumber(int number) {
        if (number < 1 || number > MOST_PARTS) {
            throw new IllegalArgumentException("a part has a number from 1 to " + MOST_PARTS + ", not " + number);
        }
        return number;
    }
}
