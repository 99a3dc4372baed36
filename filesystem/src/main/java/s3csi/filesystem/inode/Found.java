package s3csi.filesystem.inode;

import s3csi.s3.ObjectInfo;

/** What the store has under a name. */
public sealed interface Found {
    Found DIRECTORY = new Directory();
    Found NOTHING = new Nothing();

    /** Something lies below the name; an object of the name itself is then hidden. */
    record Directory() implements Found {}

    /** An object; size and ETag are known. */
    record File(ObjectInfo object) implements Found {}

    record Nothing() implements Found {}
}
