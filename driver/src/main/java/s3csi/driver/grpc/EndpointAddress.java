package s3csi.driver.grpc;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import s3csi.volume.Printable;

/** Where the CSI services listen: a Unix socket, or a TCP port for tests. */
public sealed interface EndpointAddress {
    record Unix(Path path) implements EndpointAddress {
        @Override
        public String toString() {
            return path.toString();
        }
    }

    record Tcp(InetSocketAddress address) implements EndpointAddress {
        @Override
        public String toString() {
            return address.getHostString() + ":" + address.getPort();
        }
    }

    /**
     * The forms that 2.x took: {@code unix:/csi/csi.sock}, {@code unix:///csi/csi.sock} and {@code unix://csi/csi.sock} all name
     * {@code /csi/csi.sock}, because host and path are simply put together below the root.
     */
    static EndpointAddress parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(problem(text, "it is not a URL"), e);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "unix" -> unix(text, uri);
            case "tcp" -> tcp(text, uri);
            default -> throw new IllegalArgumentException(problem(text, "unsupported protocol"));
        };
    }

    private static EndpointAddress unix(String text, URI uri) {
        String host = uri.getAuthority() == null ? "" : uri.getAuthority();
        String path = uri.getPath() == null ? uri.getSchemeSpecificPart() : uri.getPath();
        Path socket = Path.of("/" + host, path).normalize();
        if (socket.getFileName() == null) {
            throw new IllegalArgumentException(problem(text, "it names no file"));
        }
        return new Unix(socket);
    }

    private static EndpointAddress tcp(String text, URI uri) {
        if (uri.getHost() == null || uri.getPort() < 0) {
            throw new IllegalArgumentException(problem(text, "host and port are needed"));
        }
        return new Tcp(new InetSocketAddress(uri.getHost(), uri.getPort()));
    }

    private static String problem(String text, String why) {
        return "cannot listen on " + Printable.quoted(text) + ": " + why
                + "; use unix:///path/to/csi.sock or tcp://host:port";
    }
}
