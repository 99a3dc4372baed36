package s3csi.s3.bench;

import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.http.Origin;
import s3csi.s3.http.RequestHead;
import s3csi.s3.signing.RequestSigner;
import s3csi.s3.testing.server.MinioServer;

/** A transport that fetches ranges into native memory; all of them sign with the same signer. */
interface Contender extends AutoCloseable {
    String OWN_ON_PLATFORM_THREADS = "own-platform";

    /** Fetches the range that begins at the offset and is as long as the target. Called by several threads at once. */
    void fetch(long offset, MemorySegment target) throws Exception;

    @Override
    void close();

    /** What all of them get: one object, behind one address. */
    record Task(URI address, Path authority, int streams) {
        private static final RequestSigner SIGNER = new RequestSigner("s3");

        boolean isSecure() {
            return address.getScheme().equals("https");
        }

        RequestHead request(long offset, long length) {
            RequestHead head = new RequestHead("GET", TransportBakeOff.PATH, "")
                    .header("host", Origin.of(address).authority())
                    .header("range", "bytes=" + offset + '-' + (offset + length - 1));
            SIGNER.sign(head, MinioServer.ROOT, MinioServer.REGION, Instant.now(), Checksums.SHA256_OF_NOTHING);
            return head;
        }
    }

    static Contender named(String name, Task task) throws Exception {
        return switch (name) {
            case "own", OWN_ON_PLATFORM_THREADS -> new OwnContender(task);
            case "jdk" -> new JdkContender(task);
            case "netty" -> new NettyContender(task);
            case "crt" -> new CrtContender(task);
            default -> throw new IllegalArgumentException("no contender is named " + name);
        };
    }
}
