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
    default void requestEnded(Operation operation, int status, Duration firstByte, Duration total) {}

    /** A request failed in a way that passes, and will be sent again after the given wait. */
    default void retried(Operation operation, String reason, Duration wait) {}

    /** Bytes or settings came back wrong. */
    default void integrityViolated(Operation operation) {}

    /** The number of open connections changed by this much. */
    default void connectionsChanged(int delta) {}
}
