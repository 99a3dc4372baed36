package s3csi.fuse;

/** The answer to GETXATTR and LISTXATTR. */
public interface ExtendedAttributeReply extends Reply {
    /** Whether the caller asks only how long the value is; then answer {@link #size}, else {@link #value} or ERANGE. */
    boolean wantsSize();

    void size(int bytes);

    void value(byte[] value);

    @Override
    ExtendedAttributeReply later();
}
