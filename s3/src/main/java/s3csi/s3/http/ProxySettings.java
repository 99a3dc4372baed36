package s3csi.s3.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which proxy to use for which server, by the usual variables {@code HTTP_PROXY}, {@code HTTPS_PROXY} and {@code NO_PROXY}, in
 * upper or lower case. Exceptions are names, addresses, and subnets for servers that are given by address.
 */
public final class ProxySettings {
    public static final ProxySettings NONE = new ProxySettings(null, null, List.of());

    private final @Nullable Proxy forHttp;
    private final @Nullable Proxy forHttps;
    private final List<String> exceptions;

    private ProxySettings(@Nullable Proxy forHttp, @Nullable Proxy forHttps, List<String> exceptions) {
        this.forHttp = forHttp;
        this.forHttps = forHttps;
        this.exceptions = exceptions;
    }

    /** A proxy and what it wants to see before it serves us; the text is a secret. */
    record Proxy(Origin origin, @Nullable String authorization) {
        @Override
        public String toString() {
            return origin.toString();
        }
    }

    /** The settings within an environment, which need not be that of this process. */
    public static ProxySettings fromEnvironment(Map<String, String> environment) {
        return new ProxySettings(
                parse("HTTP_PROXY", environment),
                parse("HTTPS_PROXY", environment),
                List.of(variable(environment, "NO_PROXY")
                                .toLowerCase(Locale.ROOT)
                                .split(","))
                        .stream()
                        .map(String::strip)
                        .filter(entry -> !entry.isEmpty())
                        .toList());
    }

    private static String variable(Map<String, String> environment, String name) {
        String lower = environment.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        return lower.isEmpty() ? environment.getOrDefault(name, "") : lower;
    }

    /** What it throws does not show the value: that may hold a password. */
    private static @Nullable Proxy parse(String name, Map<String, String> environment) {
        String text = variable(environment, name);
        if (text.isEmpty()) {
            return null;
        }
        URI address = uri(name, text);
        if (!"http".equalsIgnoreCase(address.getScheme()) || address.getHost() == null) {
            throw unusable(name);
        }
        Origin origin = Origin.of(address);
        String user = address.getUserInfo();
        return new Proxy(
                origin,
                user == null
                        ? null
                        : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
    }

    private static URI uri(String name, String text) {
        try {
            return new URI(text.contains("://") ? text : "http://" + text);
        } catch (URISyntaxException _) {
            throw unusable(name);
        }
    }

    private static IllegalArgumentException unusable(String name) {
        return new IllegalArgumentException("the proxy in " + name
                + " cannot be used: only http:// proxies are supported, written as http://[user:password@]host[:port]");
    }

    /** The proxy for a server, or null for a direct connection. */
    @Nullable
    Proxy proxyFor(Origin server) {
        Proxy proxy = server.isSecure() ? forHttps : forHttp;
        return proxy == null || isException(server) ? null : proxy;
    }

    private boolean isException(Origin server) {
        String host = server.host().toLowerCase(Locale.ROOT);
        for (String entry : exceptions) {
            String name = entry.startsWith("*.") ? entry.substring(1) : entry;
            if (name.equals("*")
                    || name.equals(host)
                    || name.equals(host + ':' + server.port())
                    || host.endsWith(name.startsWith(".") ? name : '.' + name)
                    || Subnet.contains(name, host)) {
                return true;
            }
        }
        return false;
    }
}
