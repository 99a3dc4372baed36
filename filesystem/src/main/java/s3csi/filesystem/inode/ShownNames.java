package s3csi.filesystem.inode;

import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.s3.Quoted;

/** Which names a file can have. Keys with other components exist in buckets, and are hidden. */
public final class ShownNames {
    /** The longest key that S3 allows, in bytes of UTF-8. */
    static final int LONGEST_KEY = 1024;

    /** The longest name in a path, in bytes of UTF-8: what statfs tells programs, and many stores take no longer ones. */
    static final int LONGEST_NAME = 255;

    private ShownNames() {}

    public static boolean isValid(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '/' || c == 0) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                boolean isPair = Character.isHighSurrogate(c)
                        && i + 1 < name.length()
                        && Character.isLowSurrogate(name.charAt(i + 1));
                if (!isPair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** Refuses a name that no file can have. */
    public static void check(String name) throws FileException {
        if (!isValid(name)) {
            throw new FileException(
                    new FileFailure.InvalidName(), Quoted.text(name) + " cannot be the name of a file or directory");
        }
        if (isTooLong(name)) {
            throw new FileException(
                    new FileFailure.NameTooLong(),
                    "a name has more than " + LONGEST_NAME + " bytes; use a shorter one");
        }
    }

    /** Whether a valid name has more bytes than one in a path may have: it is listed, and nothing else can be done with it. */
    public static boolean isTooLong(String name) {
        return isLonger(name, LONGEST_NAME);
    }

    /** Refuses a key that no store would take. */
    static void checkKey(String key) throws FileException {
        if (isLonger(key, LONGEST_KEY)) {
            throw new FileException(
                    new FileFailure.NameTooLong(),
                    "the path makes a key of more than " + LONGEST_KEY + " bytes; use shorter names");
        }
    }

    /** Whether it has more bytes of UTF-8, of which each unit of the text has one to three. */
    private static boolean isLonger(String text, int bytes) {
        return text.length() > bytes || (text.length() * 3 > bytes && utf8Length(text) > bytes);
    }

    private static int utf8Length(String text) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A surrogate pair has four bytes, two for each half.
            length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return length;
    }

    /** The order of UTF-8 bytes, which is that of listings; it differs from the order of UTF-16 units beyond the basic plane. */
    public static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                if (Character.isSurrogate(x) == Character.isSurrogate(y)) {
                    return x - y;
                }
                return Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return a.length() - b.length();
    }
}
