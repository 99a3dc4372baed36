package s3csi.s3.testing.server;

import java.net.URI;
import javax.net.ssl.SSLContext;
import s3csi.s3.credentials.Credentials;

/** What all servers have in common that are processes of this machine. */
abstract class LocalServer implements S3Server {
    /** Every kind of server is told at its start that these are the keys of its root. */
    public static final Credentials.Keys ROOT = new Credentials.Keys("testbed-root", "testbed-root-secret");

    final ServerProcess process;
    private final String scheme;
    private final String region;

    LocalServer(ServerProcess process, String scheme, String region) {
        this.process = process;
        this.scheme = scheme;
        this.region = region;
    }

    @Override
    public final URI endpoint() {
        return URI.create(scheme + "://127.0.0.1:" + process.port());
    }

    @Override
    public final String region() {
        return region;
    }

    @Override
    public final Credentials.Keys root() {
        return ROOT;
    }

    @Override
    public final SSLContext trust() {
        return process.trust();
    }

    @Override
    public final void stop() {
        process.stop();
    }

    @Override
    public final void kill() {
        process.kill();
    }

    @Override
    public final void restart() {
        process.restart();
    }

    @Override
    public final void close() {
        process.close();
    }
}
