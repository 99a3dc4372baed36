package s3csi.s3.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/** Scheme, host and port of a server. */
public record Origin(boolean isSecure, String host, int port) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1");

    /**
     * The origin of an address such as {@code https://s3.example.com:9000}.
     *
     * @throws IllegalArgumentException when it has no host, or a scheme other than http and https
     */
    public static Origin of(URI address) {
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        boolean secure = scheme.equals("https");
        if (address.getHost() == null || !(secure || scheme.equals("http"))) {
            throw new IllegalArgumentException("Failed to parse endpoint URL '" + address
                    + "': it must be http://host[:port] or https://host[:port]");
        }
        int port = address.getPort() >= 0 ? address.getPort() : secure ? HTTPS : HTTP;
        return new Origin(secure, bare(address.getHost()), port);
    }

    /** An IPv6 address without its brackets. */
    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Whether it is a server of AWS itself. */
    public boolean isAws() {
        return host.endsWith(".amazonaws.com") || host.endsWith(".amazonaws.com.cn");
    }

    /** Whether what is said to it does not leave this machine. */
    public boolean isThisMachine() {
        return THIS_MACHINE.contains(host);
    }

    public Origin withHost(String other) {
        return new Origin(isSecure, other, port);
    }

    /** What the {@code Host} header says: the port only when it is not the scheme's own. */
    public String authority() {
        return port == (isSecure ? HTTPS : HTTP) ? bracketed() : hostAndPort();
    }

    /** Host and port, always both. */
    public String hostAndPort() {
        return bracketed() + ':' + port;
    }

    private String bracketed() {
        return host.indexOf(':') >= 0 ? '[' + host + ']' : host;
    }

    @Override
    public String toString() {
        return (isSecure ? "https://" : "http://") + authority();
    }
}
