package s3csi.s3.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ByteRange;
import s3csi.s3.CopySource;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.UploadedPart;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.xml.Fields;

/** UploadPartCopy. */
record CopyPartCall(
        String bucket, Upload upload, int number, CopySource source, ByteRange range, ErrorClassifier errors)
        implements Call<UploadedPart> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.COPY_PART;
    }

    @Override
    public String key() {
        return upload.key();
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onObject("PUT", upload.key())
                .query("partNumber", String.valueOf(number))
                .query("uploadId", upload.id())
                .header("x-amz-copy-source-range", range.header());
        return CopyHeaders.from(request, bucket, source);
    }

    @Override
    public UploadedPart accept(HttpExchange exchange) throws IOException, AttemptFailure {
        Fields fields = Results.read(exchange, operation(), upload.key(), errors);
        return new UploadedPart(number, range.length(), Results.etag(fields), checksum(fields));
    }

    private @Nullable String checksum(Fields fields) {
        return switch (upload.checksum()) {
            case CRC32C -> fields.find("ChecksumCRC32C");
            case CRC64NVME -> fields.find("ChecksumCRC64NVME");
            case MD5, OFF -> null;
        };
    }
}
