package s3csi.s3.client;

import java.io.IOException;
import java.net.ProtocolException;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.http.HttpExchange;

/** CreateMultipartUpload. */
record CreateUploadCall(String key, UploadChecksum checksum, NewObject object, ErrorClassifier errors)
        implements Call<Upload> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.CREATE_UPLOAD;
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onObject("POST", key).query("uploads", "");
        switch (checksum) {
            case CRC32C -> request.header("x-amz-checksum-algorithm", "CRC32C");
            case CRC64NVME ->
                request.header("x-amz-checksum-algorithm", "CRC64NVME").header("x-amz-checksum-type", "FULL_OBJECT");
            case MD5, OFF -> {
                // Nothing to agree on.
            }
        }
        return object.describe(request);
    }

    @Override
    public Upload accept(HttpExchange exchange) throws IOException, AttemptFailure {
        object.checkEncryption(exchange.head());
        String id = Results.read(exchange, operation(), key, errors).textOrEmpty("UploadId");
        if (id.isEmpty()) {
            throw new ProtocolException("the answer does not name the upload");
        }
        return new Upload(key, id, checksum);
    }
}
