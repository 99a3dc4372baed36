package s3csi.s3;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One bucket of an S3 store.
 *
 * <p>All calls block until the answer is there, may be made from any number of threads at once, and are meant for virtual
 * threads. Interrupting the calling thread aborts the request: its connection is closed, the call throws
 * {@link StoreFailure.Cancelled} and the interrupt flag stays set. {@link #close()} does the same to all calls in flight.
 *
 * <p>Calls retry by themselves whatever may pass: throttling, server errors, broken connections, timeouts. What they throw is
 * final: a write that fails did not take effect as far as anybody can tell. Keys are any non-empty text; the store encodes them for the wire and never interprets {@code .} or {@code ..}.
 */
public interface ObjectStore extends AutoCloseable {
    /** What the store knows about an object. */
    ObjectInfo head(String key) throws StoreException;

    /** One page of a listing. */
    ListingPage list(ListRequest request) throws StoreException;

    /**
     * Streams a range of an object into the memory that the sink supplies.
     *
     * <p>Length, range and version of every answer are checked; a cut body is fetched again from the first missing byte. When
     * the range is the whole object and the store keeps a checksum of it, that is verified too.
     */
    GetAnswer get(GetRequest request, BodySink sink) throws StoreException;

    /** Stores a whole object in one request; the ETag of the new version. */
    ETag put(String key, Payload body, ObjectAttributes attributes, Condition condition) throws StoreException;

    /** Begins a multipart upload; it costs storage until it is completed or aborted. */
    Upload createUpload(String key, ObjectAttributes attributes) throws StoreException;

    /**
     * Begins a multipart upload that also takes copied parts. No additional checksum is agreed on for it, because stores differ
     * in whether a copied part has one; parts that are sent carry an MD5 instead.
     */
    Upload createUploadWithCopies(String key, ObjectAttributes attributes) throws StoreException;

    /** Stores a part; sending the same number again replaces it. All but the last must be 5 MiB or more on most stores. */
    UploadedPart uploadPart(Upload upload, int number, Payload body) throws StoreException;

    /**
     * Makes a part of bytes that the store already has, without moving them through here; only in an upload of
     * {@link #createUploadWithCopies}.
     */
    UploadedPart copyPart(Upload upload, int number, CopySource source, ByteRange range) throws StoreException;

    /** Makes the object of its parts, which must be in ascending order; the ETag of the new version. */
    ETag completeUpload(Upload upload, List<UploadedPart> parts, Condition condition) throws StoreException;

    /** Drops an upload and its parts; one that is already gone is fine. */
    void abortUpload(Upload upload) throws StoreException;

    /**
     * A page of the uploads in progress below a prefix, whoever began them. MinIO shows only those whose key is the prefix
     * itself.
     */
    PendingUploads listUploads(String prefix, PendingUploads.@Nullable Marker after) throws StoreException;

    /** Removes an object; one that is already gone is fine. */
    void delete(String key) throws StoreException;

    /** Copies an object within the bucket, with its attributes; the ETag of the copy. Stores limit this to 5 GiB. */
    ETag copy(CopySource source, String key, Condition condition) throws StoreException;

    /** Ends all calls in flight and closes all connections. */
    @Override
    void close();
}
