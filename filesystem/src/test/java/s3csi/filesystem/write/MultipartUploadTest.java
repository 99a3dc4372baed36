package s3csi.filesystem.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.PoolFixture;
import s3csi.s3.ByteRange;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.ObjectStore;
import s3csi.s3.Payload;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.FaultyObjectStore;
import s3csi.s3.testing.MemoryObjectStore;

/** Parts between the program that wrote them and the store: what arrives is what came, and all of it. */
final class MultipartUploadTest extends PoolFixture {
    private static final int PART = 300_000;
    private static final long GIB = 1L << 30;

    private final MemoryObjectStore memory = new MemoryObjectStore();

    @Test
    void bytesThatChangedInMemoryAreNotHandedOut() throws Exception {
        try (FilledPart part = new FilledPart(pool, PART)) {
            part.append(MemorySegment.ofArray(random(PART)));
            assertThat(part.payload().size()).isEqualTo(PART);

            flip(part.unverifiedPayload(), 200_000);

            assertThatExceptionOfType(FileException.class)
                    .isThrownBy(part::payload)
                    .satisfies(MultipartUploadTest::isCorruption);
        }
    }

    @ParameterizedTest(name = "the store gives checksums of parts: {0}")
    @ValueSource(booleans = {true, false})
    void aPartThatChangesInMemoryWhileItIsSentFailsTheUpload(boolean givesChecksums) throws Exception {
        Uploads uploads = uploads(storing((Upload upload, int number, Payload body) -> {
            flip(body, 5);
            UploadedPart kept = memory.uploadPart(upload, number, body);
            String checksum = givesChecksums ? MemoryChecksums.base64(MemoryChecksums.of(body.segments())) : null;
            return new UploadedPart(number, kept.size(), kept.etag(), checksum);
        }));
        FileUpload file = FileUpload.ofNew(uploads, () -> "f");
        file.append(MemorySegment.ofArray(random(2 * PART)));

        assertThatExceptionOfType(FileException.class)
                .isThrownBy(() -> file.store(true, _ -> {}))
                .satisfies(MultipartUploadTest::isCorruption);

        file.close();
        uploads.close(Duration.ofSeconds(30));
        assertThat(memory.find("f")).isNull();
        Eventually.that(() -> !memory.hasUploadInProgress("f") && pool.used() == 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {PART, 5 * GIB, 5 * GIB + 1, 12 * GIB + 77, 48_000 * GIB})
    void anObjectLargerThanTheLargestCopyIsCopiedInSeveral(long size) throws Exception {
        Map<Integer, ByteRange> copied = new ConcurrentSkipListMap<>();
        Uploads uploads = uploads(copying((Upload _, int number, CopySource source, ByteRange range) -> {
            assertThat(source).isEqualTo(new CopySource("f", new ETag("v1")));
            copied.put(number, range);
            return new UploadedPart(number, range.length(), new ETag("part"), null);
        }));
        MultipartUpload upload = new MultipartUpload(uploads, "f");

        StoredCopy stored = new StoredCopy(new ETag("v1"), size);
        upload.copy(stored);
        long count = MultipartUpload.copies(stored);

        Eventually.that(() -> copied.size() == count);
        long at = 0;
        int number = 1;
        for (Map.Entry<Integer, ByteRange> each : copied.entrySet()) {
            assertThat(each.getKey()).isEqualTo(number++);
            assertThat(each.getValue().offset()).isEqualTo(at);
            assertThat(each.getValue().length()).isBetween((long) PART, 5 * GIB);
            at = each.getValue().end();
        }
        assertThat(at).isEqualTo(size);
        upload.abort();
        uploads.close(Duration.ofSeconds(30));
    }

    @Test
    void anUploadHasNoMorePartsThanAStoreTakes() throws Exception {
        AtomicInteger highest = new AtomicInteger();
        Uploads uploads = uploads(copying((Upload _, int number, CopySource _, ByteRange range) -> {
            highest.accumulateAndGet(number, Math::max);
            return new UploadedPart(number, range.length(), new ETag("part"), null);
        }));
        MultipartUpload upload = new MultipartUpload(uploads, "f");

        assertThatExceptionOfType(FileException.class)
                .isThrownBy(() -> upload.copy(new StoredCopy(new ETag("v1"), 50_000 * GIB + 1)))
                .satisfies(e -> assertThat(e.failure()).isInstanceOf(FileFailure.TooLarge.class));

        upload.abort();
        uploads.close(Duration.ofSeconds(30));
        assertThat(highest).hasValueLessThanOrEqualTo(UploadedPart.MOST_PARTS);
    }

    /** A store keeps parts that come after an abort, and their owner pays for them. */
    @Test
    void anAbortComesAfterThePartsUnderWay() throws Exception {
        CountDownLatch underWay = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        Uploads uploads = uploads(storing((Upload upload, int number, Payload body) -> {
            underWay.countDown();
            awaitInSpiteOfInterrupts(goOn);
            return memory.uploadPart(upload, number, body);
        }));
        MultipartUpload upload = new MultipartUpload(uploads, "f");
        assertThat(upload.trySend(part())).isTrue();
        assertThat(upload.trySend(part())).isTrue();
        assertThat(underWay.await(30, TimeUnit.SECONDS)).isTrue();

        upload.abort();
        // Its patience ends before the parts do.
        uploads.close(Duration.ofMillis(200));
        assertThat(memory.requests(StoreOperation.ABORT_UPLOAD))
                .as("aborts while parts are under way")
                .isZero();

        goOn.countDown();
        Eventually.that(() -> memory.requests(StoreOperation.ABORT_UPLOAD) > 0 && !memory.hasUploadInProgress("f"));
        assertThat(memory.requests(StoreOperation.UPLOAD_PART))
                .as("parts that the store took before")
                .isEqualTo(2);
    }

    @Test
    void anUploadThatIsGivenUpWhileItIsBegunIsAborted() throws Exception {
        Fault.Hold hold = Fault.Hold.once();
        Uploads uploads = uploads(new FaultyObjectStore(memory).at(StoreOperation.CREATE_UPLOAD, 1, hold));
        MultipartUpload upload = new MultipartUpload(uploads, "f");
        assertThat(upload.trySend(part())).isTrue();
        assertThat(hold.reached().await(30, TimeUnit.SECONDS)).isTrue();

        upload.abort();
        uploads.close(Duration.ofMillis(200));
        hold.released().countDown();

        Eventually.that(() -> memory.requests(StoreOperation.ABORT_UPLOAD) > 0 && !memory.hasUploadInProgress("f"));
        assertThat(memory.requests(StoreOperation.UPLOAD_PART)).isZero();
    }

    private FilledPart part() throws InterruptedException {
        FilledPart part = new FilledPart(pool, PART);
        part.append(MemorySegment.ofArray(random(PART)));
        return part;
    }

    /** As a request does that is on its way: nothing calls it back. */
    private static void awaitInSpiteOfInterrupts(CountDownLatch latch) {
        boolean isOpen = false;
        while (!isOpen) {
            try {
                isOpen = latch.await(30, TimeUnit.SECONDS);
                assertThat(isOpen).as("the test lets the request go on").isTrue();
            } catch (InterruptedException _) {
                // Waits on.
            }
        }
    }

    private static void isCorruption(FileException e) {
        assertThat(e.failure()).as(e.getMessage()).isInstanceOf(FileFailure.Corrupted.class);
    }

    private Uploads uploads(ObjectStore store) {
        return new Uploads(
                store, pool, UploadSettings.DEFAULTS.withPartSize(PART).withParallelParts(2));
    }

    // ---- the store in memory, but for one request

    private interface PartStore {
        UploadedPart store(Upload upload, int number, Payload body) throws Exception;
    }

    private interface PartCopy {
        UploadedPart copy(Upload upload, int number, CopySource source, ByteRange range) throws Exception;
    }

    private ObjectStore storing(PartStore parts) {
        return store(
                "uploadPart",
                arguments -> parts.store((Upload) arguments[0], (int) arguments[1], (Payload) arguments[2]));
    }

    private ObjectStore copying(PartCopy parts) {
        return store(
                "copyPart",
                arguments ->
                        parts.copy((Upload) arguments[0], (int) arguments[1], (CopySource) arguments[2], (ByteRange)
                                arguments[3]));
    }

    private interface Request {
        UploadedPart send(Object[] arguments) throws Exception;
    }

    private ObjectStore store(String method, Request instead) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (_, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        return instead.send(arguments);
                    }
                    try {
                        return verifying(called.invoke(memory, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** An upload of which the store verifies the parts. */
    private static @Nullable Object verifying(@Nullable Object result) {
        return result instanceof Upload upload ? new Upload(upload.key(), upload.id(), UploadChecksum.CRC32C) : result;
    }

    private static void flip(Payload payload, long at) {
        long left = at;
        for (MemorySegment segment : payload.segments()) {
            if (left < segment.byteSize()) {
                byte before = segment.get(ValueLayout.JAVA_BYTE, left);
                segment.set(ValueLayout.JAVA_BYTE, left, (byte) (before ^ 4));
                return;
            }
            left -= segment.byteSize();
        }
        throw new AssertionError("no byte at " + at);
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
