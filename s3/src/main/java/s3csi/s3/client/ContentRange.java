package s3csi.s3.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ByteRange;
import s3csi.s3.http.ResponseHead;

/**
 * Which bytes an answer holds, and of how many.
 *
 * @param range null for an empty object
 */
record ContentRange(@Nullable ByteRange range, long total) {
    private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");
    private static final int PARTIAL = 206;

    /** What the headers say; null when they do not say it, or nonsense. */
    static @Nullable ContentRange of(ResponseHead head) {
        if (head.status() == PARTIAL) {
            Matcher form = FORM.matcher(head.headerOrEmpty("content-range"));
            return form.matches()
                    ? of(Long.parseLong(form.group(1)), Long.parseLong(form.group(2)), Long.parseLong(form.group(3)))
                    : null;
        }
        String length = head.headerOrEmpty("content-length");
        if (!length.matches("\\d{1,18}")) {
            return null;
        }
        long total = Long.parseLong(length);
        return new ContentRange(total == 0 ? null : new ByteRange(0, total), total);
    }

    private static @Nullable ContentRange of(long first, long last, long total) {
        return first <= last && last < total ? new ContentRange(ByteRange.between(first, last + 1), total) : null;
    }
}
