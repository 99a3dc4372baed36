package s3csi.s3.bench;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import s3csi.s3.http.RequestHead;

/** The HTTP client of the JDK, with a subscriber that copies each buffer to its place. */
final class JdkContender implements Contender {
    private final Task task;
    private final HttpClient client;

    JdkContender(Task task) throws Exception {
        this.task = task;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(Executors.newVirtualThreadPerTaskExecutor());
        if (task.isSecure()) {
            builder.sslContext(trusting(task.authority()));
        }
        client = builder.build();
    }

    static SSLContext trusting(Path authority) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trustManagers(authority).getTrustManagers(), null);
        return context;
    }

    static TrustManagerFactory trustManagers(Path authority) throws Exception {
        KeyStore roots = KeyStore.getInstance(KeyStore.getDefaultType());
        roots.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            roots.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(roots);
        return factory;
    }

    @Override
    public void fetch(long offset, MemorySegment target) throws Exception {
        RequestHead head = task.request(offset, target.byteSize());
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(task.address() + head.path())).GET();
        for (int i = 0; i < head.headerCount(); i++) {
            if (!head.headerName(i).equals("host")) {
                request.header(head.headerName(i), head.headerValue(i));
            }
        }
        HttpResponse<Long> response = client.send(request.build(), _ -> new Copier(target.asByteBuffer()));
        if (response.statusCode() != 206 || response.body() != target.byteSize()) {
            throw new IllegalStateException("status " + response.statusCode() + ", " + response.body() + " bytes");
        }
    }

    private static final class Copier implements BodySubscriber<Long> {
        private final ByteBuffer target;
        private final CompletableFuture<Long> done = new CompletableFuture<>();

        Copier(ByteBuffer target) {
            this.target = target;
        }

        @Override
        public CompletionStage<Long> getBody() {
            return done;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            buffers.forEach(target::put);
        }

        @Override
        public void onError(Throwable e) {
            done.completeExceptionally(e);
        }

        @Override
        public void onComplete() {
            done.complete((long) target.position());
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
