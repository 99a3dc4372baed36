package s3csi.linux;

import java.util.OptionalInt;

/**
 * How the kernel side of a FUSE mount is made.
 *
 * @param owner the user who may use the mount even without {@code allowOther}
 * @param allowOther lets every user in; the file system may narrow it down again
 * @param maxRead bytes of the largest READ, where it shall be smaller than what INIT settles
 */
public record FuseMountOptions(int owner, int group, boolean allowOther, boolean readOnly, OptionalInt maxRead) {
    private static final int ROOT_MODE = 040000;

    public static FuseMountOptions ownedBy(int owner, int group) {
        return new FuseMountOptions(owner, group, false, false, OptionalInt.empty());
    }

    public FuseMountOptions withAllowOther(boolean value) {
        return new FuseMountOptions(owner, group, value, readOnly, maxRead);
    }

    public FuseMountOptions withReadOnly(boolean value) {
        return new FuseMountOptions(owner, group, allowOther, value, maxRead);
    }

    /** The option string of mount(2). Permissions are always checked by the kernel. */
    String data(int descriptor) {
        StringBuilder data = new StringBuilder("fd=")
                .append(descriptor)
                .append(",rootmode=")
                .append(Integer.toOctalString(ROOT_MODE))
                .append(",user_id=")
                .append(Integer.toUnsignedString(owner))
                .append(",group_id=")
                .append(Integer.toUnsignedString(group))
                .append(",default_permissions");
        if (allowOther) {
            data.append(",allow_other");
        }
        maxRead.ifPresent(bytes -> data.append(",max_read=").append(bytes));
        return data.toString();
    }
}
