package s3csi.s3.bench;

import java.lang.foreign.MemorySegment;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetRequest;
import s3csi.s3.client.HttpObjectStore;
import s3csi.s3.client.HttpStoreOptions;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.server.MinioServer;

/** The store as the file system uses it, with all its checks. */
final class OwnContender implements Contender {
    private final HttpObjectStore store;

    OwnContender(Task task) throws Exception {
        HttpStoreOptions options = HttpStoreOptions.forBucket(TransportBakeOff.BUCKET)
                .endpoint(task.address())
                .credentials(CredentialsSource.fixed(MinioServer.ROOT));
        store = new HttpObjectStore(
                task.isSecure() ? options.trust(Trust.bundle(task.authority(), Trust.Bundle.REPLACES)) : options);
    }

    @Override
    public void fetch(long offset, MemorySegment target) throws Exception {
        store.get(
                new GetRequest(TransportBakeOff.KEY, new ByteRange(offset, target.byteSize()), null),
                BodySink.into(target));
    }

    @Override
    public void close() {
        store.close();
    }
}
