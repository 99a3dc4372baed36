package s3csi.s3.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.Payload;
import s3csi.s3.signing.PercentEncoding;

/** One request to the store before it has a host, a date and a signature. */
final class S3Request {
    private final String method;
    private final String key;
    private final List<String> query = new ArrayList<>(8);
    private final List<String> headers = new ArrayList<>(16);
    private Payload body = Payload.EMPTY;
    private @Nullable String bodyHash;
    private @Nullable Duration patience;

    private S3Request(String method, String key) {
        this.method = method;
        this.key = key;
    }

    static S3Request onObject(String method, String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("the key of an object is not empty");
        }
        return new S3Request(method, key);
    }

    static S3Request onBucket(String method) {
        return new S3Request(method, "");
    }

    S3Request query(String name, String value) {
        query.add(PercentEncoding.query(name) + '=' + PercentEncoding.query(value));
        return this;
    }

    S3Request header(String name, @Nullable String value) {
        if (value != null) {
            headers.add(name);
            headers.add(value);
        }
        return this;
    }

    S3Request condition(Condition condition) {
        return switch (condition) {
            case Condition.None() -> this;
            case Condition.Absent() -> header("if-none-match", "*");
            case Condition.Matches(ETag etag) -> header("if-match", etag.quoted());
        };
    }

    /** @param hash the SHA-256 in hexadecimal where the signature needs it; null where it goes unsigned */
    S3Request body(Payload payload, @Nullable String hash) {
        body = payload;
        bodyHash = hash;
        return this;
    }

    /** Each step of the answer may take this long: stores drip white space while they work. */
    S3Request patience(Duration wait) {
        patience = wait;
        return this;
    }

    String method() {
        return method;
    }

    String key() {
        return key;
    }

    /** In the order that the signature wants. */
    String queryText() {
        query.sort(null);
        return String.join("&", query);
    }

    List<String> headers() {
        return headers;
    }

    Payload body() {
        return body;
    }

    @Nullable
    String bodyHash() {
        return bodyHash;
    }

    @Nullable
    Duration lastingPatience() {
        return patience;
    }
}
