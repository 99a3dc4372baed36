package s3csi.fuse.wire;

import s3csi.fuse.Capability;

/** INIT as the kernel sends it: its version and what it offers. */
public record InitRequest(int major, int minor, int maxReadahead, long offered) {
    /** From this minor on there is a second word of flags, if the first one says so. */
    private static final int EXTENDED = 36;

    public static InitRequest read(RequestBytes request) throws MalformedRequestException {
        int major = request.int32(0);
        int minor = request.int32(4);
        long offered = Integer.toUnsignedLong(request.int32OrZero(12));
        if (minor >= EXTENDED && (offered & Capability.INIT_EXT.mask()) != 0) {
            offered |= (long) request.int32OrZero(16) << 32;
        }
        return new InitRequest(major, minor, request.int32OrZero(8), offered);
    }
}
