package s3csi.s3.credentials;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Quoted;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.http.RequestHead;
import s3csi.s3.signing.PercentEncoding;
import s3csi.s3.signing.RequestSigner;
import s3csi.s3.xml.Fields;

/**
 * A security token service, which gives keys for a role.
 *
 * @param region what requests are signed for
 */
record TokenService(KeyService service, String region, Clock clock) {
    private static final String VERSION = "2011-06-15";

    /** Refusals that are none, with the status of one: too many ask, or whoever issued a token does not answer the service. */
    private static final Set<String> PASSING = Set.of(
            "Throttling",
            "ThrottlingException",
            "ThrottledException",
            "RequestLimitExceeded",
            "TooManyRequestsException",
            "SlowDown",
            "RequestTimeout",
            "IDPCommunicationError");

    /** How long keys are taken to last when the service does not say: they are renewed after a quarter of an hour. */
    private static final long UNSAID_SECONDS = 20 * 60;

    /** What the service says. */
    sealed interface Answer {
        record Granted(Credentials.Keys keys) implements Answer {}

        /** The reason as the service gives it: status and code. */
        record Refused(String reason) implements Answer {}
    }

    /**
     * Asks for keys.
     *
     * @param signer whose signature the request has; null for an action that needs none
     */
    Answer ask(String action, Map<String, String> parameters, Credentials.@Nullable Keys signer)
            throws CredentialsException {
        byte[] body = form(action, parameters);
        try {
            return service.ask(client -> {
                try (HttpExchange exchange = client.send(request(body, signer), body, null)) {
                    int status = exchange.head().status();
                    return status == 200 ? granted(Fields.read(exchange.body()::read)) : refused(exchange, status);
                }
            });
        } catch (IOException e) {
            throw new CredentialsException(this + " cannot be asked for keys: " + e.getMessage(), e);
        }
    }

    private static byte[] form(String action, Map<String, String> parameters) {
        Map<String, String> ordered = new TreeMap<>(parameters);
        ordered.put("Version", VERSION);
        StringBuilder form = new StringBuilder("Action=").append(action);
        ordered.forEach(
                (name, value) -> form.append('&').append(name).append('=').append(PercentEncoding.query(value)));
        return form.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private RequestHead request(byte[] body, Credentials.@Nullable Keys signer) {
        RequestHead request = new RequestHead("POST", "/", "")
                .header("host", service.origin().authority())
                .header("accept", "application/xml")
                .header("content-type", "application/x-www-form-urlencoded")
                .header("content-length", String.valueOf(body.length));
        if (signer != null) {
            String hash =
                    HexFormat.of().formatHex(Checksums.newDigest("SHA-256").digest(body));
            new RequestSigner("sts").sign(request, signer, region, clock.instant(), hash);
        }
        return request;
    }

    private Answer granted(Fields fields) throws CredentialsException {
        String id = fields.textOrEmpty("AccessKeyId");
        String secret = fields.textOrEmpty("SecretAccessKey");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new CredentialsException(this + " answered without keys");
        }
        return new Answer.Granted(new Credentials.Keys(
                id, secret, fields.find("SessionToken"), expiry(fields.textOrEmpty("Expiration"))));
    }

    /** What stands at the address may be no token service at all, and may explain itself in another language than XML. */
    private static Answer refused(HttpExchange exchange, int status) throws KeyService.Busy {
        String code;
        String reason;
        try {
            code = Fields.read(exchange.body()::read).textOrEmpty("Code");
            reason = status + " " + Quoted.text(code);
        } catch (IOException e) {
            code = "";
            reason = status + " without a reason in XML";
        }
        if (KeyService.Busy.isStatus(status) || PASSING.contains(code)) {
            throw new KeyService.Busy(reason);
        }
        return new Answer.Refused(reason);
    }

    private Instant expiry(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            return clock.instant().plusSeconds(UNSAID_SECONDS);
        }
    }

    /** The end of a sentence about a refusal. */
    static String advice() {
        return "; set AWS_ENDPOINT_URL_STS if that is not your token service";
    }

    @Override
    public String toString() {
        return "the token service " + service.origin();
    }
}
