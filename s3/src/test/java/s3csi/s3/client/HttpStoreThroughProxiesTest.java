package s3csi.s3.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.s3.ObjectStore;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ObjectStoreContract;
import s3csi.s3.testing.server.Intermediary;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.ProxiedServer;

/** The contract, through the proxies that stores are run behind: each with a store of its own. */
@Tag("s3")
@ParameterizedClass
@EnumSource(Intermediary.class)
class HttpStoreThroughProxiesTest extends ObjectStoreContract {
    private static final String BUCKET = "contract";
    private static final PrivateCa AUTHORITY = PrivateCa.create();

    @TempDir
    private static Path directory;

    private static @Nullable Running running;

    private final Intermediary intermediary;

    private record Running(ProxiedServer server, HttpObjectStore store) {}

    HttpStoreThroughProxiesTest(Intermediary intermediary) {
        this.intermediary = intermediary;
    }

    @BeforeParameterizedClassInvocation
    static void start(Intermediary intermediary) throws Exception {
        Path bundle = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.certificatePem());
        ProxiedServer server = ProxiedServer.start(intermediary, AUTHORITY);
        server.createBucket(BUCKET);
        HttpObjectStore store = new HttpObjectStore(HttpStoreOptions.forBucket(BUCKET)
                .endpoint(server.endpoint())
                .region(server.region())
                .credentials(CredentialsSource.fixed(server.root()))
                .trust(Trust.bundle(bundle, Trust.Bundle.REPLACES)));
        running = new Running(server, store);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        running().store.close();
        running().server.close();
    }

    private static Running running() {
        return requireNonNull(running, "nothing was started");
    }

    @Override
    protected ObjectStore store() {
        return running().store;
    }

    /** Its connections to the proxy live on, and those of the proxy to the store do not. */
    @Test
    void aStoreThatWasStartedAgainIsUsedAgain() throws Exception {
        byte[] bytes = random(100_000, 3);
        put("again", bytes);

        running().server.kill();
        running().server.restart();

        assertThat(read("again", 0, bytes.length))
                .as("through %s", intermediary)
                .isEqualTo(bytes);
        put("again", bytes);
    }
}
