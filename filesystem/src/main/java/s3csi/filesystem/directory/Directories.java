package s3csi.filesystem.directory;

import s3csi.filesystem.inode.InodeTable;
import s3csi.filesystem.inode.Time;
import s3csi.s3.ObjectStore;

/** What all open directories share. */
public record Directories(ObjectStore store, InodeTable table, Turns turns, Time time) {}
