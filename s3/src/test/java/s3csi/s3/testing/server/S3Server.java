package s3csi.s3.testing.server;

import java.net.URI;
import javax.net.ssl.SSLContext;
import s3csi.s3.credentials.Credentials;

/** A running S3 server. Its port and its data stay the same until it is closed. */
public interface S3Server extends AutoCloseable {
    URI endpoint();

    String region();

    /** The account that may do everything. */
    Credentials.Keys root();

    /** Trusts the server's certificate where it has one, and what the JDK trusts otherwise. */
    SSLContext trust();

    /** Makes a bucket that belongs to {@link #root()}. */
    default void createBucket(String name) {
        RootCalls.put(this, '/' + name, "", new byte[0]);
    }

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
