package s3csi.testbed.differential;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.contender.Wanted;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** One store with a bucket for each side; they start out alike and are compared in the end. */
final class TwoBuckets implements AutoCloseable {
    private static final String OURS = "ours";
    private static final String THEIRS = "theirs";

    private final MinioServer server = MinioServer.startInMemory();
    private final S3Client client = S3Clients.root(server);
    private final Path spool = Scratch.directoryInMemory("spool");

    TwoBuckets() {
        client.createBucket(request -> request.bucket(OURS));
        client.createBucket(request -> request.bucket(THEIRS));
    }

    Wanted wantedOurs() {
        return wanted(OURS);
    }

    Wanted wantedTheirs() {
        return wanted(THEIRS);
    }

    private Wanted wanted(String bucket) {
        return new Wanted(
                server.endpoint(), server.region(), bucket, server.root(), spool, Optional.empty(), Optional.empty());
    }

    /** Puts what a sequence finds at its beginning. */
    void fill(String directory) {
        for (String key : Script.initialKeys()) {
            for (String bucket : new String[] {OURS, THEIRS}) {
                client.putObject(
                        request -> request.bucket(bucket).key(directory + "/" + key),
                        RequestBody.fromString((key + " ").repeat(1000)));
            }
        }
    }

    String ours(String directory) {
        return contents(OURS, directory);
    }

    String theirs(String directory) {
        return contents(THEIRS, directory);
    }

    /** Keys, sizes and contents; the tag of an object depends on its parts, so the bytes themselves are looked at. */
    private String contents(String bucket, String directory) {
        return client
                .listObjectsV2Paginator(request -> request.bucket(bucket).prefix(directory + "/"))
                .contents()
                .stream()
                .map(object -> object.key() + "=" + checksum(bucket, object.key()))
                .collect(Collectors.joining(", "));
    }

    private String checksum(String bucket, String key) {
        byte[] bytes = client.getObjectAsBytes(request -> request.bucket(bucket).key(key))
                .asByteArrayUnsafe();
        var crc = new java.util.zip.CRC32C();
        crc.update(bytes);
        return "%d:%08x".formatted(bytes.length, crc.getValue());
    }

    @Override
    public void close() {
        client.close();
        server.close();
        Scratch.delete(spool);
    }
}
