package s3csi.testbed.s3;

import java.net.URI;
import javax.net.ssl.SSLContext;

/** A running S3 server. Its port and its data stay the same until it is closed. */
public interface S3Server extends AutoCloseable {
    URI endpoint();

    String region();

    /** The account that may do everything. */
    S3Keys root();

    /** Trusts the server's certificate where it has one, and what the JDK trusts otherwise. */
    SSLContext trust();

    /** Ends the server in good order and leaves its port and data for {@link #restart()}. */
    void stop();

    /** Ends the server as a crash would and leaves its port and data for {@link #restart()}. */
    void kill();

    /** Starts the server again on its port with its data, after ending it if it still runs; returns when it answers. */
    void restart();

    /** Ends the server and removes all it had. */
    @Override
    void close();
}
