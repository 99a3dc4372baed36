package s3csi.s3.client;

import java.io.IOException;
import java.net.ProtocolException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import s3csi.s3.ETag;
import s3csi.s3.StoreOperation;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.xml.Fields;

/** Small documents in good answers, which may be errors all the same. */
final class Results {
    private static final int INTERNAL_ERROR = 500;

    private Results() {}

    static Fields read(HttpExchange exchange, StoreOperation operation, String key, ErrorClassifier errors)
            throws IOException, AttemptFailure {
        Fields fields = Fields.read(exchange.body()::read);
        if (fields.root().equals("Error")) {
            // The status was sent before the work was done, so it says nothing; most such errors are internal ones.
            ErrorAnswer answer = ErrorAnswer.of(exchange.head(), INTERNAL_ERROR, fields);
            throw errors.classify(operation, key, answer, Instant.EPOCH);
        }
        return fields;
    }

    static ETag etag(Fields fields) throws ProtocolException {
        return present(ETag.parse(fields.textOrEmpty("ETag")));
    }

    static ETag etag(HttpExchange exchange) throws ProtocolException {
        return present(ObjectHeaders.etag(exchange.head()));
    }

    private static ETag present(@Nullable ETag etag) throws ProtocolException {
        if (etag == null) {
            throw new ProtocolException("the answer holds no ETag");
        }
        return etag;
    }
}
