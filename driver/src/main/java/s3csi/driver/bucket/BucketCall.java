package s3csi.driver.bucket;

import java.net.URI;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.BucketName;
import s3csi.volume.Region;

/** One call about a bucket, with what a message about its failure needs. */
record BucketCall(Operation operation, BucketName bucket, Region region, AuthenticationSource keys, URI endpoint) {
    /** The calls, each with the words and the permission it needs. */
    enum Operation {
        LOOK("look at bucket", "s3:GetBucketTagging"),
        CREATE("make bucket", "s3:CreateBucket"),
        OWN("look whose is bucket", "s3:ListAllMyBuckets"),
        TAG("tag bucket", "s3:PutBucketTagging"),
        LIST("list bucket", "s3:ListBucket"),
        DELETE("delete bucket", "s3:DeleteBucket");

        private final String words;
        private final String permission;

        Operation(String words, String permission) {
            this.words = words;
            this.permission = permission;
        }
    }

    String action() {
        return operation.words + " " + bucket;
    }

    String permission() {
        return operation.permission;
    }
}
