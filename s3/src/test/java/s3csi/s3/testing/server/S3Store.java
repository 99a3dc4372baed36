package s3csi.s3.testing.server;

import java.net.URI;
import javax.net.ssl.SSLContext;
import s3csi.s3.credentials.Credentials;

/** A store that can be reached, whoever runs it. */
public interface S3Store {
    URI endpoint();

    String region();

    /** The account that may do everything. */
    Credentials.Keys root();

    /** Trusts the server's certificate where it has one, and what the JDK trusts otherwise. */
    SSLContext trust();
}
