package s3csi.s3.credentials;

import org.jspecify.annotations.Nullable;

/** No credentials could be had. The message says where we looked and what to do, and holds no secret. */
public final class CredentialsException extends Exception {
    public CredentialsException(String message) {
        this(message, null);
    }

    public CredentialsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
