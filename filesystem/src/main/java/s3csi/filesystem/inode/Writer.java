package s3csi.filesystem.inode;

import s3csi.filesystem.failure.FileException;

/** Somebody who writes a file, as the rules for opening it see them. */
public interface Writer {
    /** Whether it was opened or used and not closed since, so that nobody else may open the file. */
    boolean isActive();

    /** Whether everything it wrote is in the store. */
    boolean isComplete();

    /** Whether it is active and complete only because it has not written yet. */
    boolean isAboutToBegin();

    /** Stores what is left and waits for it. */
    void finish() throws FileException, InterruptedException;

    /** Another writer took over; called with the table's monitor held. */
    void supersede();
}
