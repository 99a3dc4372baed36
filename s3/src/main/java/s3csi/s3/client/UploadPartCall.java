package s3csi.s3.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Payload;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.UploadedPart;
import s3csi.s3.http.HttpExchange;

/** UploadPart. */
record UploadPartCall(
        Upload upload, int number, Payload body, @Nullable String bodyHash, BodyProtection protection)
        implements Call<UploadedPart> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.UPLOAD_PART;
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
                .body(body, bodyHash);
        protection.addTo(request);
        return request;
    }

    @Override
    public UploadedPart accept(HttpExchange exchange) throws IOException {
        return new UploadedPart(number, body.size(), Results.etag(exchange), protection.ofPart());
    }
}
