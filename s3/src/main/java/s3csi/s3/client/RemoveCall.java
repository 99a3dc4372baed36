package s3csi.s3.client;

import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;

/**
 * DeleteObject and AbortMultipartUpload.
 *
 * @param uploadId null for the object itself
 */
record RemoveCall(String key, @Nullable String uploadId) implements Call<Boolean> {
    @Override
    public StoreOperation operation() {
        return uploadId == null ? StoreOperation.DELETE_OBJECT : StoreOperation.ABORT_UPLOAD;
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onObject("DELETE", key);
        return uploadId == null ? request : request.query("uploadId", uploadId);
    }

    @Override
    public Boolean accept(HttpExchange exchange) {
        return true;
    }
}
