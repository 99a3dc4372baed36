package s3csi.fuse;

/** The answer to GETATTR and SETATTR. */
public interface AttributesReply extends Reply {
    void attributes(Attributes attributes, long validNanos);

    @Override
    AttributesReply later();
}
