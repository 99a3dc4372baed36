package s3csi.testbed.semantics;

import s3csi.s3.testing.server.Intermediary;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.ProxiedServer;
import s3csi.s3.testing.server.S3Server;

/** As users have it whose store is behind a proxy: TLS 1.2, and a connection is closed behind its third answer. */
final class FioThroughNginxTest extends FioContract {
    private final PrivateCa authority = PrivateCa.create();

    @Override
    S3Server startServer() {
        return ProxiedServer.start(Intermediary.NGINX_THAT_BUFFERS, authority);
    }

    @Override
    String preparation() {
        return trusting(authority);
    }
}
