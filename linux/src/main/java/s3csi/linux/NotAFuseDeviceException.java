package s3csi.linux;

import java.io.IOException;

/** A descriptor that was given as FUSE device and is none. */
public final class NotAFuseDeviceException extends IOException {
    NotAFuseDeviceException(int number, String reason) {
        super("descriptor " + number + " cannot serve a FUSE mount: " + reason);
    }
}
