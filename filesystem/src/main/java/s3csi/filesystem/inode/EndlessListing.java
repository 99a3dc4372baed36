package s3csi.filesystem.inode;

import s3csi.s3.Quoted;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;

/**
 * When a listing that goes on is believed to go on for ever. To end it there as if it were whole would hide names, so whoever asked
 * gets an error.
 */
public final class EndlessListing {
    /**
     * Pages without a name that claim to go on. Stores that search a range of deleted keys give hundreds of them, one for each
     * thousand keys; ten thousand would be ten million.
     */
    public static final int MOST_EMPTY_PAGES = 10_000;

    /** Pages that have names, and none that did not come before. */
    public static final int MOST_REPEATED_PAGES = 100;

    private EndlessListing() {}

    public static StoreException of(String prefix, String why) {
        return new StoreException(
                new StoreFailure.Protocol(),
                StoreOperation.LIST_OBJECTS,
                StoreException.Answer.NONE,
                "the listing below " + Quoted.text(prefix) + " cannot be completed: " + why
                        + "; tell the operators of the store");
    }
}
