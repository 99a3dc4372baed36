package s3csi.filesystem.inode;

import s3csi.filesystem.failure.FileException;

/** Somebody who writes a file, as the rules for opening it see them. */
public interface Writer {
    /** The number that is written. The name may lead to another one, see {@link OpenRules}. */
    FileInode inode();

    Standing standing();

    /** Stores what is left and waits for it. */
    void finish() throws FileException, InterruptedException;

    /** Bytes are about to come, perhaps after a close; refused if another took over. Called under the lock of the rules. */
    void resume() throws FileException;

    /** Another writer took over. Called under the lock of the rules, and only if the file is stored. */
    void takenOver();
}
