package s3csi.s3;

/** How uploads are protected end to end. */
public enum UploadChecksum {
    CRC32C,
    CRC64NVME,
    /** {@code Content-MD5}: what remains for stores that refuse the newer headers. */
    MD5,
    OFF
}
