package s3csi.s3.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;

/** An address of this machine where nobody listens: it is taken, so that nobody else can have it meanwhile. */
public final class Nobody implements AutoCloseable {
    private final Socket taken = new Socket();

    public Nobody() {
        try {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Host and port. */
    public String authority() {
        return "127.0.0.1:" + taken.getLocalPort();
    }

    public URI endpoint() {
        return URI.create("http://" + authority());
    }

    @Override
    public void close() {
        try {
            taken.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
