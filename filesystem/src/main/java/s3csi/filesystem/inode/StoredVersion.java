package s3csi.filesystem.inode;

import s3csi.s3.ETag;

/**
 * The version of an object that a number stands for.
 *
 * @param readable false for an archived object that was not restored
 */
public record StoredVersion(ETag etag, long size, boolean readable) {}
