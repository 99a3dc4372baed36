package s3csi.s3;

import java.time.Duration;

/**
 * Hears what a store does, for metrics. Called on the requesting thread, so it must be quick and must not throw.
 *
 * <p>An operation of the port is one or more requests: each retry and each resumed body counts as its own request.
 */
public interface StoreObserver {
    StoreObserver SILENT = new StoreObserver() {};

    /**
     * A request has ended, well or not.
     *
     * @param status the HTTP status; 0 when there was no answer
     * @param firstByte time until the head of the answer was there; equal to {@code total} when there was no answer
     */
    default void requestEnded(StoreOperation operation, int status, Duration firstByte, Duration total) {}

    /** A request failed in a way that passes, and is sent again. */
    default void retried(StoreOperation operation, String reason) {}

    /**
     * The store answers again after it was away.
     *
     * @param requests how many waited for it
     */
    default void outageEnded(Duration length, int requests) {}

    /** Bytes or settings came back wrong. */
    default void integrityViolated(StoreOperation operation) {}

    /** The number of open connections changed by this much. */
    default void connectionsChanged(int delta) {}
}
