package s3csi.s3.client;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import s3csi.s3.ObjectStore;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.testing.ObjectStoreContract;
import s3csi.s3.testing.server.S3Server;

/** The contract, over HTTP to a real server. One server per class: they take a second to start. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpStoreContract extends ObjectStoreContract {
    protected static final String BUCKET = "contract";

    private S3Server server;
    private HttpObjectStore store;

    protected abstract S3Server startServer();

    protected HttpStoreOptions options(S3Server running) throws IOException {
        return HttpStoreOptions.forBucket(BUCKET)
                .endpoint(running.endpoint())
                .region(running.region())
                .credentials(CredentialsSource.fixed(running.root()));
    }

    @BeforeAll
    void start() throws IOException {
        server = startServer();
        server.createBucket(BUCKET);
        store = new HttpObjectStore(options(server));
    }

    @AfterAll
    void stop() {
        store.close();
        server.close();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    protected S3Server server() {
        return server;
    }
}
