package s3csi.s3;

/** The requests of the port, under the names that S3 users know from policies and dashboards. */
public enum StoreOperation {
    HEAD_OBJECT("HeadObject", "s3:GetObject"),
    LIST_OBJECTS("ListObjectsV2", "s3:ListBucket"),
    GET_OBJECT("GetObject", "s3:GetObject"),
    PUT_OBJECT("PutObject", "s3:PutObject"),
    CREATE_UPLOAD("CreateMultipartUpload", "s3:PutObject"),
    UPLOAD_PART("UploadPart", "s3:PutObject"),
    COPY_PART("UploadPartCopy", "s3:GetObject and s3:PutObject"),
    COMPLETE_UPLOAD("CompleteMultipartUpload", "s3:PutObject"),
    ABORT_UPLOAD("AbortMultipartUpload", "s3:AbortMultipartUpload"),
    LIST_UPLOADS("ListMultipartUploads", "s3:ListBucketMultipartUploads"),
    DELETE_OBJECT("DeleteObject", "s3:DeleteObject"),
    COPY_OBJECT("CopyObject", "s3:GetObject and s3:PutObject");

    private final String label;
    private final String permission;

    StoreOperation(String label, String permission) {
        this.label = label;
        this.permission = permission;
    }

    /** The name in logs and metrics. */
    public String label() {
        return label;
    }

    /** What a policy must allow for it. */
    public String permission() {
        return permission;
    }
}
