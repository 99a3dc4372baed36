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
        if (isDigest(text, dash < 0 ? text.length() : dash) && (dash < 0 || isPartCount(text, dash + 1))) {
            long high = HexFormat.fromHexDigitsToLong(text, 0, 16);
            long low = HexFormat.fromHexDigitsToLong(text, 16, 32);
            return new Digest(high, low, dash < 0 ? 0 : Integer.parseInt(text, dash + 1, text.length(), 10));
        }
        return new Text(etag);
    }

    /** Capital digits would not survive packing. */
    private static boolean isDigest(String text, int length) {
        boolean isDigest = length == 32;
        for (int i = 0; isDigest && i < length; i++) {
            char digit = text.charAt(i);
            isDigest = (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
        }
        return isDigest;
    }

    /** Nor would leading zeros. */
    private static boolean isPartCount(String text, int from) {
        int digits = text.length() - from;
        boolean isCount = digits >= 1 && digits <= 5 && text.charAt(from) != '0';
        for (int i = from; isCount && i < text.length(); i++) {
            isCount = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return isCount;
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
