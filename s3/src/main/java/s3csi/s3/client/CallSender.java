package s3csi.s3.client;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.client.AttemptFailure.Remedy;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.http.RequestHead;
import s3csi.s3.signing.RequestSigner;
import s3csi.s3.xml.XmlReader;

/** Makes one attempt at a call: completes the request, signs it, sends it, and lets the call read the answer. */
final class CallSender {
    private final HttpStoreOptions options;
    private final ErrorClassifier errors;
    private final RequestSigner signer = new RequestSigner("s3");
    /** How far the store's clock is ahead of ours, as far as we had to learn it. */
    private volatile Duration clockOffset = Duration.ZERO;

    CallSender(HttpStoreOptions options) {
        this.options = options;
        this.errors = new ErrorClassifier(options.bucket);
    }

    <T> T attempt(Call<T> call, Router.Route route, Credentials credentials, Tries tries) throws AttemptFailure {
        S3Request request = call.request();
        // Once: another request may learn the store's time before this one is answered.
        Instant signedAt = options.clock.instant().plus(clockOffset);
        RequestHead head = head(request, route, credentials, signedAt);
        Measured measured = new Measured(call.operation());
        Duration patience = patience(request.lastingPatience(), tries.silence());
        try (HttpExchange exchange = route.client().send(head, request.body().segments(), patience)) {
            measured.answered(exchange.head().status());
            try {
                return answer(call, exchange, signedAt, tries);
            } catch (AttemptFailure e) {
                throw exchange.wasResent() ? e.afterResend() : e;
            }
        } catch (IOException e) {
            throw TransportErrors.classify(e, route);
        } finally {
            measured.end();
        }
    }

    private <T> T answer(Call<T> call, HttpExchange exchange, Instant signedAt, Tries tries)
            throws IOException, AttemptFailure {
        int status = exchange.head().status();
        if (status < 200 || status > 299) {
            throw errors.classify(call.operation(), call.key(), ErrorAnswer.read(exchange), signedAt);
        }
        tries.answered();
        return accept(call, exchange);
    }

    /** How long each step of the answer may take; null for the usual times. */
    private @Nullable Duration patience(@Nullable Duration ofRequest, @Nullable Duration silence) {
        if (silence == null) {
            return ofRequest;
        }
        Duration usual = ofRequest == null ? options.timeouts.firstByte() : ofRequest;
        return silence.compareTo(usual) < 0 ? silence : usual;
    }

    private static <T> T accept(Call<T> call, HttpExchange exchange) throws IOException, AttemptFailure {
        boolean good = false;
        try {
            T result = call.accept(exchange);
            good = true;
            return result;
        } catch (XmlReader.CutException e) {
            if (exchange.body().hasNoLength()) {
                EOFException cut = new EOFException("the connection was closed in the middle of the answer");
                cut.initCause(e);
                throw cut;
            }
            throw e;
        } finally {
            if (!good) {
                exchange.abort();
            }
        }
    }

    private RequestHead head(S3Request request, Router.Route route, Credentials credentials, Instant now) {
        String path = request.key().isEmpty()
                ? route.endpoint().basePath()
                : route.endpoint().pathOf(request.key());
        RequestHead head = new RequestHead(request.method(), path, request.queryText());
        head.header("host", route.endpoint().origin().authority());
        head.header("user-agent", options.userAgent);
        long size = request.body().size();
        if (size > 0 || request.method().equals("PUT") || request.method().equals("POST")) {
            head.header("content-length", String.valueOf(size));
        }
        List<String> headers = request.headers();
        for (int i = 0; i < headers.size(); i += 2) {
            head.header(headers.get(i), headers.get(i + 1));
        }
        if (options.requesterPays) {
            head.header("x-amz-request-payer", "requester");
        }
        if (options.expectedBucketOwner != null) {
            head.header("x-amz-expected-bucket-owner", options.expectedBucketOwner);
        }
        if (credentials instanceof Credentials.Keys keys) {
            signer.sign(head, keys, route.region(), now, hash(request));
        }
        return head;
    }

    private static String hash(S3Request request) {
        if (request.bodyHash() != null) {
            return request.bodyHash();
        }
        return request.body().size() == 0 ? Checksums.SHA256_OF_NOTHING : RequestSigner.UNSIGNED_PAYLOAD;
    }

    /**
     * Learns the store's time.
     *
     * @return whether that changes anything
     */
    boolean correctClock(ErrorAnswer answer) {
        if (answer.date() == null) {
            return false;
        }
        clockOffset = Duration.between(options.clock.instant(), answer.date());
        return true;
    }

    /** How far the store's clock is ahead of ours; zero as long as it did not matter. */
    Duration clockOffset() {
        return clockOffset;
    }

    static AttemptFailure noCredentials(Exception cause) {
        return new AttemptFailure(
                new StoreFailure.NoCredentials(),
                Remedy.NONE,
                ErrorAnswer.NONE,
                String.valueOf(cause.getMessage()),
                cause);
    }

    /** Times of one request, for the observer. */
    private final class Measured {
        private final StoreOperation operation;
        private final long start = System.nanoTime();
        private int status;
        private long firstByte;

        Measured(StoreOperation operation) {
            this.operation = operation;
        }

        void answered(int answer) {
            status = answer;
            firstByte = System.nanoTime();
        }

        void end() {
            long now = System.nanoTime();
            long first = status == 0 ? now : firstByte;
            options.observer.requestEnded(
                    operation, status, Duration.ofNanos(first - start), Duration.ofNanos(now - start));
        }
    }
}
