package s3csi.s3.client;

import java.time.Duration;
import s3csi.s3.CopySource;
import s3csi.s3.signing.PercentEncoding;

/** Headers that server-side copies share. */
final class CopyHeaders {
    /** Stores move the bytes before they answer, some of them slowly. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private CopyHeaders() {}

    static S3Request from(S3Request request, String bucket, CopySource source) {
        return request.header("x-amz-copy-source", '/' + bucket + '/' + PercentEncoding.path(source.key()))
                .header("x-amz-copy-source-if-match", source.etag().quoted())
                .patience(PATIENCE);
    }
}
