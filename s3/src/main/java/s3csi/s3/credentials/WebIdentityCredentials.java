package s3csi.s3.credentials;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Quoted;
import s3csi.s3.http.HttpClient;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.http.Origin;
import s3csi.s3.http.ProxySettings;
import s3csi.s3.http.RequestHead;
import s3csi.s3.http.Timeouts;
import s3csi.s3.http.Trust;
import s3csi.s3.signing.PercentEncoding;
import s3csi.s3.xml.Fields;

/**
 * Keys from a security token service in exchange for a token that the platform writes into a file, as Kubernetes does for service
 * accounts. The token is read anew each time, because it is short-lived too. One request to the service, over a connection of
 * its own, never through a proxy.
 */
public final class WebIdentityCredentials implements CredentialsSource {
    private final Settings settings;
    private final Trust trust;
    private final Clock clock;

    /**
     * What to ask for.
     *
     * @param service the address of the token service
     */
    public record Settings(Origin service, String roleArn, Path tokenFile, String sessionName) {}

    public WebIdentityCredentials(Settings settings, Trust trust, Clock clock) {
        this.settings = settings;
        this.trust = trust;
        this.clock = clock;
    }

    @Override
    public Credentials current() throws CredentialsException {
        String token;
        try {
            token = Files.readString(settings.tokenFile).strip();
        } catch (IOException e) {
            throw new CredentialsException("cannot read the web identity token in " + settings.tokenFile, e);
        }
        try (HttpClient client =
                new HttpClient(settings.service, trust, ProxySettings.NONE, Timeouts.DEFAULTS, 1, _ -> {})) {
            return exchange(client, token);
        } catch (IOException e) {
            throw new CredentialsException(
                    "the token service " + settings.service + " cannot be asked for keys: " + e.getMessage(), e);
        }
    }

    private Credentials exchange(HttpClient client, String token) throws IOException, CredentialsException {
        String form = "Action=AssumeRoleWithWebIdentity&RoleArn=" + PercentEncoding.query(settings.roleArn)
                + "&RoleSessionName=" + PercentEncoding.query(settings.sessionName)
                + "&Version=2011-06-15&WebIdentityToken=" + PercentEncoding.query(token);
        byte[] bytes = form.getBytes(StandardCharsets.US_ASCII);
        RequestHead request = new RequestHead("POST", "/", "")
                .header("host", settings.service.authority())
                .header("accept", "application/xml")
                .header("content-type", "application/x-www-form-urlencoded")
                .header("content-length", String.valueOf(bytes.length));
        try (Arena arena = Arena.ofConfined();
                HttpExchange exchange =
                        client.send(request, List.of(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes)), null)) {
            Fields fields = Fields.read(exchange.body()::read);
            if (exchange.head().status() != 200) {
                throw new CredentialsException("the token service " + settings.service + " refuses role "
                        + settings.roleArn + ": " + exchange.head().status() + ' '
                        + Quoted.text(fields.textOrEmpty("Code")) + "; check the role's trust policy and the token");
            }
            return keys(fields);
        }
    }

    private Credentials keys(Fields fields) throws CredentialsException {
        String id = fields.textOrEmpty("AccessKeyId");
        String secret = fields.textOrEmpty("SecretAccessKey");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new CredentialsException("the token service " + settings.service + " answered without keys");
        }
        return new Credentials.Keys(id, secret, fields.find("SessionToken"), expiry(fields.textOrEmpty("Expiration")));
    }

    /** A service that does not say how long its keys last gets asked again after a quarter of an hour. */
    private @Nullable Instant expiry(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            return clock.instant().plusSeconds(20 * 60);
        }
    }

    @Override
    public String toString() {
        return "web identity for " + settings.roleArn;
    }
}
