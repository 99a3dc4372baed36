package s3csi.s3.client;

import java.io.IOException;
import java.time.Duration;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;

/**
 * A listing of one key for somebody who waits for a mount: tried again like any other, but only for so long. Whoever wants the mount
 * asks again anyway, and is better served by the reason now than by a few more attempts.
 */
final class FirstLook implements Call<ListingPage> {
    private final ListCall listing;
    private final long end;

    FirstLook(String prefix, boolean isAws, Duration within) {
        // Not 0 keys: MinIO answers that without looking whether there is such a bucket.
        this.listing = new ListCall(ListRequest.everythingBelow(prefix).withMaxKeys(1), within, isAws);
        this.end = System.nanoTime() + within.toNanos();
    }

    @Override
    public StoreOperation operation() {
        return listing.operation();
    }

    @Override
    public String key() {
        return listing.key();
    }

    @Override
    public S3Request request() {
        return listing.request().patience(timeLeft());
    }

    @Override
    public ListingPage accept(HttpExchange exchange) throws IOException {
        return listing.accept(exchange);
    }

    @Override
    public Duration timeLeft() {
        return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
    }
}
