package s3csi.s3.http;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** No TLS connection can be made, because it cannot be said whom to trust. */
public final class TrustException extends IOException {
    TrustException(@Nullable Path bundle, IOException cause) {
        super(
                bundle == null
                        ? why(cause)
                        : "the certificate authorities in " + bundle + " cannot be used: " + why(cause)
                                + "; correct the CA bundle",
                cause);
    }

    private static String why(IOException cause) {
        return switch (cause) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "permission denied";
            default -> String.valueOf(cause.getMessage());
        };
    }
}
