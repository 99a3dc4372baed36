package s3csi.filesystem;

import s3csi.filesystem.inode.ReadClaim;
import s3csi.filesystem.read.ObjectReader;

/** One open of a file for reading: the right to it, and the bytes of its version. */
record ReadHandle(ReadClaim claim, ObjectReader reader) {}
