package s3csi.s3.client;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreException;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;

/** One operation of the port, as its runner sees it. Used by one thread, for one operation. */
interface Call<T> {
    StoreOperation operation();

    /** What it is about, for messages; empty for the bucket itself. */
    String key();

    /** What to send; asked anew for each attempt. */
    S3Request request();

    /**
     * Makes the result of an answer with a good status.
     *
     * @throws IOException when the answer breaks off; the attempt counts as failed and is repeated
     * @throws AttemptFailure when the answer is not what it should be
     */
    T accept(HttpExchange exchange) throws IOException, AttemptFailure;

    /** Whether so much was achieved since it was asked last that the attempts may be counted from one again. */
    default boolean hasProgressed() {
        return false;
    }

    /** How much longer it may be tried again by an impatient caller; null for as long as attempts are left. */
    default @Nullable Duration timeLeft() {
        return null;
    }

    /**
     * The operation failed for good, but an attempt had no answer, or none that tells, and may have taken effect.
     *
     * @return the result if it can be proved that it did; null to fail
     */
    default @Nullable T recover(StoreException failure) throws StoreException {
        return null;
    }
}
