package s3csi.testbed.s3;

/** The keys of one account of a test server. */
public record S3Keys(String accessKeyId, String secretAccessKey) {
    @Override
    public String toString() {
        return "S3Keys[" + accessKeyId + "]";
    }
}
