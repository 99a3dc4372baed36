package s3csi.s3.client;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import s3csi.s3.PendingUploads;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.xml.UploadsReader;

/** ListMultipartUploads. */
record ListUploadsCall(String prefix, PendingUploads.@Nullable Marker after) implements Call<PendingUploads> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.LIST_UPLOADS;
    }

    @Override
    public String key() {
        return prefix;
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onBucket("GET")
                .query("uploads", "")
                .query("encoding-type", "url")
                .query("prefix", prefix);
        if (after != null) {
            request.query("key-marker", after.key()).query("upload-id-marker", after.uploadId());
        }
        return request;
    }

    @Override
    public PendingUploads accept(HttpExchange exchange) throws IOException {
        return UploadsReader.read(exchange.body()::read);
    }
}
