package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.Reply;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.ServerCertificate;
import s3csi.s3.testing.server.TlsVersion;

/** Bytes that nobody asked for are never taken for the answer to the next request. */
@ParameterizedClass(name = "TLS version: {0}")
@MethodSource("channels")
class StrayBytesFaultTest extends FaultFixture {
    private static final PrivateCa AUTHORITY = PrivateCa.create();
    private static final ServerCertificate CERTIFICATE = AUTHORITY.issueFor("127.0.0.1");
    private static final String STORED = "HTTP/1.1 200 OK\r\netag: \"stranger\"\r\ncontent-length: 0\r\n\r\n";
    private static final String NOT_FOUND =
            "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>no</Message></Error>\r\n\r\n";

    private final @Nullable TlsVersion version;

    @TempDir
    Path directory;

    StrayBytesFaultTest(@Nullable TlsVersion version) {
        this.version = version;
    }

    /** In the clear, and by every version of TLS. */
    static Stream<@Nullable TlsVersion> channels() {
        return Stream.concat(Stream.<@Nullable TlsVersion>of((TlsVersion) null), Stream.of(TlsVersion.values()));
    }

    private HttpObjectStore store(ScriptedServer.Script script) throws IOException {
        if (version == null) {
            return storeOf(script);
        }
        Path bundle = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.certificatePem());
        return storeOf(
                new ScriptedServer(script, CERTIFICATE, version),
                options().trust(Trust.bundle(bundle, Trust.Bundle.REPLACES)));
    }

    private ETag put(HttpObjectStore store) throws StoreException {
        return store.put("key", payload(random(10)), ObjectAttributes.DEFAULTS, Condition.NONE);
    }

    private static void refuseHead(Reply reply, String body) throws IOException {
        reply.send("HTTP/1.1 404 Not Found\r\ncontent-length: " + body.length() + "\r\n\r\n" + body);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORED, NOT_FOUND, "\r\n"})
    void whatStandsBehindAnAnswerIsNotTheNextOne(String stray) throws Exception {
        HttpObjectStore store = store((request, reply) -> {
            if (request.method().equals("HEAD")) {
                refuseHead(reply, stray);
            } else {
                reply.error(507, "InsufficientStorage");
            }
        });
        failureOf(() -> store.head("key"), StoreFailure.NoSuchKey.class);

        failureOf(() -> put(store), StoreFailure.ServerError.class);

        assertThat(server().requests()).as("the head and one put").hasSize(2);
        assertThat(server().connections()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {STORED, NOT_FOUND, "\r\n"})
    void whatComesOnAnIdleConnectionIsNotTheNextAnswer(String stray) throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        HttpObjectStore store = store((request, reply) -> {
            if (request.method().equals("HEAD")) {
                refuseHead(reply, "");
                await(answered);
                reply.send(stray);
                sent.countDown();
            } else {
                reply.error(507, "InsufficientStorage");
            }
        });
        failureOf(() -> store.head("key"), StoreFailure.NoSuchKey.class);
        answered.countDown();
        await(sent);

        failureOf(() -> put(store), StoreFailure.ServerError.class);

        assertThat(server().requests()).as("the head and one put").hasSize(2);
        assertThat(server().connections()).isEqualTo(2);
    }

    /** Nobody can see bytes that are still on their way; those that are no answer are seen when they come. */
    @Test
    void leftoversThatComeAfterTheLookAreNoAnswerEither() throws Exception {
        HttpObjectStore store = store((request, reply) -> {
            if (request.method().equals("HEAD")) {
                refuseHead(reply, "");
            } else if (request.number() == 2) {
                reply.send(NOT_FOUND);
                reply.error(507, "InsufficientStorage");
            } else {
                reply.answer(200, "etag: \"" + ETAG + "\"\r\n", "");
            }
        });
        failureOf(() -> store.head("key"), StoreFailure.NoSuchKey.class);

        assertThat(put(store)).isEqualTo(new ETag(ETAG));

        assertThat(server().connections()).isEqualTo(2);
    }

    @Test
    void aConnectionOnWhichNothingIsLeftIsUsedAgain() throws Exception {
        HttpObjectStore store = store((_, reply) -> reply.answer(200, "etag: \"" + ETAG + "\"\r\n", ""));

        for (int i = 0; i < 10; i++) {
            assertThat(put(store)).isEqualTo(new ETag(ETAG));
        }

        assertThat(server().connections()).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new IOException("waited in vain");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
