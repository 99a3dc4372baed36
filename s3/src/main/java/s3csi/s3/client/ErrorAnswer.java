package s3csi.s3.client;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import s3csi.s3.StoreException;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.http.ResponseHead;
import s3csi.s3.xml.Fields;

/**
 * An answer that is an error, taken apart.
 *
 * @param code S3's; empty when there was no body, as with HEAD
 * @param message the store's words
 * @param region where the bucket really is, if the store said so
 * @param date the store's clock, if it said so
 */
record ErrorAnswer(
        int status,
        String code,
        String message,
        @Nullable String region,
        @Nullable Instant date,
        String requestId) {
    static final ErrorAnswer NONE = new ErrorAnswer(0, "", "", null, null, "");

    static ErrorAnswer read(HttpExchange exchange) {
        Excerpt excerpt = new Excerpt(exchange.body()::read);
        Fields fields;
        try {
            fields = Fields.read(excerpt);
        } catch (IOException e) {
            // A load balancer's page, a cut one, or plain words.
            exchange.abort();
            return of(exchange.head(), exchange.head().status(), null).saying(excerpt.words());
        }
        return of(exchange.head(), exchange.head().status(), fields);
    }

    private ErrorAnswer saying(String words) {
        return new ErrorAnswer(status, code, words, region, date, requestId);
    }

    static ErrorAnswer of(ResponseHead head, int status, @Nullable Fields fields) {
        String region = head.header("x-amz-bucket-region");
        if (region == null && fields != null) {
            region = fields.find("Region");
        }
        return new ErrorAnswer(
                status,
                fields == null ? "" : fields.textOrEmpty("Code"),
                fields == null ? "" : fields.textOrEmpty("Message"),
                region == null || region.isEmpty() ? null : region,
                httpDate(head.header("date")),
                head.headerOrEmpty("x-amz-request-id"));
    }

    static @Nullable Instant httpDate(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
        } catch (DateTimeException e) {
            return null;
        }
    }

    StoreException.Answer forCaller() {
        return new StoreException.Answer(status, code, message, requestId);
    }

    /** Status and code as a person would quote them. */
    String inShort() {
        return code.isEmpty() ? String.valueOf(status) : status + " " + code;
    }
}
