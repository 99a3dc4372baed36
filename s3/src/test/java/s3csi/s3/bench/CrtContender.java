package s3csi.s3.bench;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import s3csi.s3.http.RequestHead;
import software.amazon.awssdk.crt.CRT;
import software.amazon.awssdk.crt.http.HttpClientConnection;
import software.amazon.awssdk.crt.http.HttpClientConnectionManager;
import software.amazon.awssdk.crt.http.HttpClientConnectionManagerOptions;
import software.amazon.awssdk.crt.http.HttpHeader;
import software.amazon.awssdk.crt.http.HttpRequest;
import software.amazon.awssdk.crt.http.HttpStream;
import software.amazon.awssdk.crt.http.HttpStreamResponseHandler;
import software.amazon.awssdk.crt.io.ClientBootstrap;
import software.amazon.awssdk.crt.io.EventLoopGroup;
import software.amazon.awssdk.crt.io.HostResolver;
import software.amazon.awssdk.crt.io.SocketOptions;
import software.amazon.awssdk.crt.io.TlsContext;
import software.amazon.awssdk.crt.io.TlsContextOptions;

/** The AWS common runtime, which hands each piece of a body over as a heap array. */
final class CrtContender implements Contender {
    private final Task task;
    private final EventLoopGroup loops = new EventLoopGroup(2);
    private final HostResolver resolver = new HostResolver(loops);
    private final ClientBootstrap bootstrap = new ClientBootstrap(loops, resolver);
    private final SocketOptions sockets = new SocketOptions();
    private final @Nullable TlsContext tls;
    private final HttpClientConnectionManager manager;

    CrtContender(Task task) {
        this.task = task;
        HttpClientConnectionManagerOptions options = new HttpClientConnectionManagerOptions()
                .withClientBootstrap(bootstrap)
                .withSocketOptions(sockets)
                .withUri(task.address())
                .withPort(task.address().getPort())
                .withMaxConnections(task.streams());
        if (task.isSecure()) {
            try (TlsContextOptions tlsOptions = TlsContextOptions.createDefaultClient()
                    .withCertificateAuthorityFromPath(null, task.authority().toString())) {
                tls = new TlsContext(tlsOptions);
            }
            options.withTlsContext(tls);
        } else {
            tls = null;
        }
        manager = HttpClientConnectionManager.create(options);
    }

    @Override
    public void fetch(long offset, MemorySegment target) throws Exception {
        RequestHead head = task.request(offset, target.byteSize());
        HttpHeader[] headers = new HttpHeader[head.headerCount()];
        for (int i = 0; i < headers.length; i++) {
            headers[i] = new HttpHeader(head.headerName(i), head.headerValue(i));
        }
        HttpClientConnection connection = manager.acquireConnection().get();
        try {
            Receiver receiver = new Receiver(target.asByteBuffer());
            try (HttpStream stream =
                    connection.makeRequest(new HttpRequest("GET", head.path(), headers, null), receiver)) {
                stream.activate();
                receiver.done.get();
            }
            if (receiver.status != 206 || receiver.target.hasRemaining()) {
                throw new IllegalStateException(
                        "status " + receiver.status + ", " + receiver.target.remaining() + " bytes missing");
            }
        } finally {
            manager.releaseConnection(connection);
        }
    }

    private static final class Receiver implements HttpStreamResponseHandler {
        private final ByteBuffer target;
        private final CompletableFuture<Integer> done = new CompletableFuture<>();
        private volatile int status;

        Receiver(ByteBuffer target) {
            this.target = target;
        }

        @Override
        public void onResponseHeaders(HttpStream stream, int answered, int block, HttpHeader[] headers) {
            status = answered;
        }

        @Override
        public int onResponseBody(HttpStream stream, byte[] bytes) {
            target.put(bytes);
            return bytes.length;
        }

        @Override
        public void onResponseComplete(HttpStream stream, int error) {
            if (error == CRT.AWS_CRT_SUCCESS) {
                done.complete(error);
            } else {
                done.completeExceptionally(new IllegalStateException(CRT.awsErrorString(error)));
            }
        }
    }

    @Override
    public void close() {
        manager.close();
        if (tls != null) {
            tls.close();
        }
        sockets.close();
        bootstrap.close();
        resolver.close();
        loops.close();
    }
}
