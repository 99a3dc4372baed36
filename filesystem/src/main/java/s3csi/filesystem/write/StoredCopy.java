package s3csi.filesystem.write;

import s3csi.s3.ETag;

/** The object as it was stored last. */
record StoredCopy(ETag etag, long size) {}
