package s3csi.filesystem.inode;

import java.util.HexFormat;
import s3csi.s3.ETag;

/**
 * An ETag in little memory. Nearly all are an MD5 in hexadecimal, with the number of parts after a dash for multipart
 * uploads; as text that is 100 bytes more per file, and there may be 100,000 files.
 */
sealed interface Version {
    static Version of(ETag etag) {
        String text = etag.text();
        int dash = text.indexOf('-');
        String digest = dash < 0 ? text : text.substring(0, dash);
        if (digest.length() == 32 && (dash < 0 || isPartCount(text, dash + 1))) {
            try {
                long high = HexFormat.fromHexDigitsToLong(digest, 0, 16);
                long low = HexFormat.fromHexDigitsToLong(digest, 16, 32);
                int parts = dash < 0 ? 0 : Integer.parseInt(text, dash + 1, text.length(), 10);
                Version packed = new Digest(high, low, parts);
                // Capital digits or leading zeros do not survive packing.
                if (packed.etag().equals(etag)) {
                    return packed;
                }
            } catch (NumberFormatException e) {
                // Not hexadecimal: kept as it is.
                return new Text(etag);
            }
        }
        return new Text(etag);
    }

    private static boolean isPartCount(String text, int from) {
        int digits = text.length() - from;
        return digits >= 1 && digits <= 5 && Character.isDigit(text.charAt(from));
    }

    ETag etag();

    /** An MD5; {@code parts} is 0 for an object that was stored in one request. */
    record Digest(long high, long low, int parts) implements Version {
        @Override
        public ETag etag() {
            HexFormat hex = HexFormat.of();
            String digest = hex.toHexDigits(high) + hex.toHexDigits(low);
            return new ETag(parts == 0 ? digest : digest + '-' + parts);
        }
    }

    record Text(ETag etag) implements Version {}
}
