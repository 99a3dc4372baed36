package s3csi.s3.http;

import java.io.IOException;

/** A request that has been sent and its answer. Closing it gives the connection back when the body was read to its end. */
public final class HttpExchange implements AutoCloseable {
    /** Reading on costs less than a new connection, up to about this much. */
    private static final int WORTH_DRAINING = 32 * 1024;

    private final HttpClient client;
    private final HttpConnection connection;
    private final ResponseHead head;
    private final ResponseBody body;
    private final boolean keepAlive;
    private final boolean wasResent;
    private boolean aborted;

    HttpExchange(
            HttpClient client,
            HttpConnection connection,
            ResponseHead head,
            ResponseBody body,
            boolean keepAlive,
            boolean wasResent) {
        this.client = client;
        this.connection = connection;
        this.head = head;
        this.body = body;
        this.keepAlive = keepAlive;
        this.wasResent = wasResent;
    }

    public ResponseHead head() {
        return head;
    }

    public ResponseBody body() {
        return body;
    }

    /** Whether the request went out before, on a kept connection that broke without an answer: it may have taken effect twice. */
    public boolean wasResent() {
        return wasResent;
    }

    /** The rest of the answer is of no interest; its connection is not worth keeping. */
    public void abort() {
        aborted = true;
    }

    @Override
    public void close() {
        boolean reusable = keepAlive && !aborted && !connection.isClosed();
        if (reusable && !body.isComplete()) {
            try {
                body.finishIfShort(WORTH_DRAINING);
            } catch (IOException e) {
                reusable = false;
            }
        }
        client.giveBack(connection, reusable && body.isComplete());
    }
}
