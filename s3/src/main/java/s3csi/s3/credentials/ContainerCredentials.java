package s3csi.s3.credentials;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import s3csi.s3.http.HttpClient;
import s3csi.s3.http.HttpExchange;
import s3csi.s3.http.Origin;
import s3csi.s3.http.RequestHead;
import s3csi.s3.http.Trust;

/**
 * Keys from a service beside the container, where the environment names one. In plain text only this machine and the addresses that
 * container platforms use are asked: keys of somebody in between would be somebody's who listens.
 */
final class ContainerCredentials implements CredentialsSource {
    private static final String OF_THE_PLATFORM = "http://169.254.170.2";
    private static final Set<String> OF_PLATFORMS = Set.of("169.254.170.2", "169.254.170.23", "fd00:ec2::23");
    private static final int LARGEST = 64 << 10;

    private final URI address;
    private final Origin origin;
    private final Map<String, String> environment;
    private final Trust trust;

    private ContainerCredentials(URI address, Map<String, String> environment, Trust trust) {
        this.address = address;
        this.origin = Origin.of(address);
        this.environment = Map.copyOf(environment);
        this.trust = trust;
    }

    /** The service that the variables name; null if they name none. */
    static @Nullable ContainerCredentials named(Map<String, String> environment, Trust trust) {
        String relative = environment.getOrDefault("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "");
        String full = environment.getOrDefault("AWS_CONTAINER_CREDENTIALS_FULL_URI", "");
        if (relative.isEmpty() && full.isEmpty()) {
            return null;
        }
        return new ContainerCredentials(
                URI.create(relative.isEmpty() ? full : OF_THE_PLATFORM + relative), environment, trust);
    }

    @Override
    public Credentials current() throws CredentialsException {
        if (!origin.isSecure() && !origin.isThisMachine() && !OF_PLATFORMS.contains(origin.host())) {
            throw new CredentialsException("keys are not asked for in plain text at " + origin
                    + "; AWS_CONTAINER_CREDENTIALS_FULL_URI must be" + " https or name this machine");
        }
        try {
            String authorization = authorization();
            return new KeyService(origin, trust).ask(client -> ask(client, authorization));
        } catch (IOException e) {
            throw new CredentialsException(this + " cannot be asked for keys: " + e.getMessage(), e);
        }
    }

    private Credentials ask(HttpClient client, String authorization) throws IOException, CredentialsException {
        String path = address.getRawPath().isEmpty() ? "/" : address.getRawPath();
        RequestHead request = new RequestHead("GET", path, address.getRawQuery() == null ? "" : address.getRawQuery())
                .header("host", origin.authority())
                .header("accept", "application/json");
        if (!authorization.isEmpty()) {
            request.header("authorization", authorization);
        }
        try (HttpExchange exchange = client.send(request, List.of(), null)) {
            String answer = text(exchange);
            if (KeyService.Busy.isStatus(exchange.head().status())) {
                throw new KeyService.Busy("status " + exchange.head().status());
            }
            if (exchange.head().status() != 200) {
                throw new CredentialsException(this + " gives no keys: status "
                        + exchange.head().status() + "; check the role and the token of the container");
            }
            return KeyDocument.read(answer, "Token", toString());
        }
    }

    private static String text(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] part = new byte[4096];
        for (int n = exchange.body().read(part); n >= 0; n = exchange.body().read(part)) {
            text.write(part, 0, n);
            if (text.size() > LARGEST) {
                throw new IOException("the answer is longer than " + LARGEST + " bytes");
            }
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    /** The file is read anew each time: platforms replace the token in it. */
    private String authorization() throws IOException, CredentialsException {
        String file = environment.getOrDefault("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "");
        String token = file.isEmpty()
                ? environment.getOrDefault("AWS_CONTAINER_AUTHORIZATION_TOKEN", "")
                : Files.readString(Path.of(file)).strip();
        if (token.indexOf('\r') >= 0 || token.indexOf('\n') >= 0) {
            throw new CredentialsException("the authorization token of the container has more than one line");
        }
        return token;
    }

    @Override
    public String toString() {
        return "the credentials service of the container at " + origin;
    }
}
