package s3csi.s3.client;

import java.util.List;
import org.junit.jupiter.api.Tag;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;

@Tag("s3")
class HttpStoreOverVersityTest extends HttpStoreContract {
    @Override
    protected S3Server startServer() {
        return VersityServer.start();
    }

    /** It lists keys as plain XML whatever encoding is asked for, and XML has no control characters. */
    @Override
    protected List<String> oddNames() {
        return super.oddNames().stream()
                .filter(name -> !name.startsWith("control"))
                .toList();
    }
}
