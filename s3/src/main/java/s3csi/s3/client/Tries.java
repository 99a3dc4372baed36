package s3csi.s3.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The attempts at one call: when the next one may be made, and whether there is another after one that failed. Used by one thread. */
interface Tries {
    /**
     * Waits until an attempt may be made.
     *
     * @return null, or why none may be
     */
    @Nullable
    AttemptFailure awaitTurn() throws InterruptedException;

    /** How long the store may say nothing in this attempt; null for as long as usual. */
    @Nullable
    Duration silence();

    /** The attempt has a good answer; its body is still to come. */
    void answered();

    /** The attempt failed, for whatever reason. */
    void failed(AttemptFailure failure);

    /**
     * Whether to send it again after a failure that may pass; waits for the time to do so.
     *
     * @param hasProgressed whether the attempt brought something before it failed
     */
    boolean again(AttemptFailure failure, boolean hasProgressed) throws InterruptedException;

    /** The attempt is over, and gives back what it held; nothing is left to do where a call above said how it ended. */
    void ended();

    /** How many attempts were made since something was achieved. */
    int made();
}
