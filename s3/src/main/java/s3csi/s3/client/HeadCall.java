package s3csi.s3.client;

import java.io.IOException;
import s3csi.s3.ObjectInfo;
import s3csi.s3.Operation;
import s3csi.s3.http.HttpExchange;

/** HeadObject. */
record HeadCall(String key) implements Call<ObjectInfo> {
    @Override
    public Operation operation() {
        return Operation.HEAD_OBJECT;
    }

    @Override
    public S3Request request() {
        return S3Request.onObject("HEAD", key);
    }

    @Override
    public ObjectInfo accept(HttpExchange exchange) throws IOException {
        return ObjectHeaders.info(exchange.head(), key, ObjectHeaders.length(exchange.head()));
    }
}
