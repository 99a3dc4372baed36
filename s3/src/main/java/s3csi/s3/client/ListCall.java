package s3csi.s3.client;

import java.io.IOException;
import java.time.Duration;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.xml.ListingReader;

/**
 * ListObjectsV2.
 *
 * @param patience for each step of the answer
 * @param withRestore whether to ask for the restore status of archived objects, which only AWS understands
 */
record ListCall(ListRequest wanted, Duration patience, boolean withRestore) implements Call<ListingPage> {
    @Override
    public StoreOperation operation() {
        return StoreOperation.LIST_OBJECTS;
    }

    @Override
    public String key() {
        return wanted.prefix();
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onBucket("GET")
                .query("list-type", "2")
                .query("encoding-type", "url")
                .query("max-keys", String.valueOf(wanted.maxKeys()))
                .query("prefix", wanted.prefix())
                .patience(patience);
        if (!wanted.delimiter().isEmpty()) {
            request.query("delimiter", wanted.delimiter());
        }
        if (wanted.continuation() != null) {
            request.query("continuation-token", wanted.continuation());
        }
        return withRestore ? request.header("x-amz-optional-object-attributes", "RestoreStatus") : request;
    }

    @Override
    public ListingPage accept(HttpExchange exchange) throws IOException {
        return ListingReader.read(exchange.body()::read, wanted);
    }
}
