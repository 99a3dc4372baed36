package s3csi.s3.testing.server;

/** A running S3 server of ours. Its port and its data stay the same until it is closed. */
public interface S3Server extends S3Store, AutoCloseable {
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
