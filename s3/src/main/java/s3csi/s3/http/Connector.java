package s3csi.s3.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Makes connections to one origin: finds an address, goes through a proxy where one is set, shakes hands. */
final class Connector {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final Origin origin;
    private final Trust trust;
    private final ProxySettings.@Nullable Proxy proxy;
    private final Timeouts timeouts;
    private final SocketSetup setup;
    private final AddressBook addresses;
    private final InetSocketAddress next;

    Connector(Origin origin, Trust trust, ProxySettings proxies, Timeouts timeouts, SocketSetup setup) {
        this.origin = origin;
        this.trust = trust;
        this.proxy = proxies.proxyFor(origin);
        this.timeouts = timeouts;
        this.setup = setup;
        Origin hop = proxy == null ? origin : proxy.origin();
        this.next = InetSocketAddress.createUnresolved(hop.host(), hop.port());
        this.addresses = new AddressBook(hop.host(), InetAddress::getAllByName);
    }

    /** What stands before the path in a request line: proxies want the whole address. */
    String targetPrefix() {
        return proxy == null || origin.isSecure() ? "" : origin.toString();
    }

    /** Header lines that the next hop wants with every request. */
    String hopHeaders() {
        return origin.isSecure() ? "" : proxyAuthorization();
    }

    private String proxyAuthorization() {
        return proxy == null || proxy.authorization() == null
                ? ""
                : "proxy-authorization: " + proxy.authorization() + "\r\n";
    }

    /**
     * A connection that is ready for requests.
     *
     * @param patience how long the other side may be silent while it is made ready; null for the usual time
     * @param onOpen hears of it before anything is said on it
     * @param onClose hears of its end, on whatever thread that comes
     */
    HttpConnection open(
            ConnectionBuffers buffers,
            @Nullable Duration patience,
            Consumer<HttpConnection> onOpen,
            Consumer<HttpConnection> onClose)
            throws IOException {
        HttpConnection connection = new HttpConnection(connectSomewhere(), buffers, timeouts, onClose);
        onOpen.accept(connection);
        boolean ready = false;
        try {
            if (origin.isSecure()) {
                if (proxy != null) {
                    tunnel(connection, patience);
                }
                connection.secure(engine(), timeouts.idleFor(patience));
            }
            ready = true;
            return connection;
        } finally {
            if (!ready) {
                connection.close();
            }
        }
    }

    private SocketChannel connectSomewhere() throws IOException {
        IOException first = null;
        for (InetAddress address : addresses()) {
            try {
                SocketChannel channel = connect(address);
                addresses.worked(address);
                return channel;
            } catch (IOException e) {
                addresses.failed(address);
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        throw first == null ? new UnknownHostException(next.getHostString()) : first;
    }

    /** Whom we try to reach, where that is not whom the request is for. */
    private String byProxy() {
        return proxy == null ? "" : "the proxy " + proxy + ": ";
    }

    private Iterable<InetAddress> addresses() throws IOException {
        try {
            return addresses.candidates();
        } catch (UnknownHostException e) {
            UnknownHostException plain = new UnknownHostException(
                    byProxy() + "the name " + next.getHostString() + " does not resolve to an address");
            plain.initCause(e);
            throw plain;
        }
    }

    private SocketChannel connect(InetAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open();
        boolean connected = false;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            setup.prepare(channel);
            channel.socket().connect(new InetSocketAddress(address, next.getPort()), (int)
                    timeouts.connect().toMillis());
            connected = true;
            return channel;
        } catch (SocketTimeoutException e) {
            ConnectException late = new ConnectException(byProxy() + "no answer from " + address.getHostAddress()
                    + " within " + timeouts.connect().toMillis() + " ms");
            late.initCause(e);
            throw late;
        } catch (ConnectException e) {
            if (proxy == null) {
                throw e;
            }
            ConnectException refused = new ConnectException(byProxy() + e.getMessage());
            refused.initCause(e);
            throw refused;
        } finally {
            if (!connected) {
                channel.close();
            }
        }
    }

    private void tunnel(HttpConnection connection, @Nullable Duration patience) throws IOException {
        String target = origin.hostAndPort();
        connection.send(
                "CONNECT " + target + " HTTP/1.1\r\nhost: " + target + "\r\n" + proxyAuthorization() + "\r\n",
                new ByteBuffer[0],
                timeouts.idleFor(patience));
        int status = connection.receiveHead(patience).status();
        if (status != 200) {
            throw new ConnectException(
                    "the proxy " + proxy + " refused the way to " + target + " with status " + status);
        }
    }

    private SSLEngine engine() throws IOException {
        SSLEngine engine = trust.context().createSSLEngine(origin.host(), origin.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return engine;
    }
}
