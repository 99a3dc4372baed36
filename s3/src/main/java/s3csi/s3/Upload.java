package s3csi.s3;

/**
 * A multipart upload in progress.
 *
 * @param checksum what was agreed with the store when the upload was created; every part must follow it
 */
public record Upload(String key, String id, UploadChecksum checksum) {}
