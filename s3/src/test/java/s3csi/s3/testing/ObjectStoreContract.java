package s3csi.s3.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.Condition;
import s3csi.s3.CopySource;
import s3csi.s3.ETag;
import s3csi.s3.GetAnswer;
import s3csi.s3.GetRequest;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectInfo;
import s3csi.s3.ObjectStore;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.Upload;
import s3csi.s3.UploadedPart;

/** What every {@link ObjectStore} keeps, whatever is behind it. */
public abstract class ObjectStoreContract {
    private static final int PART = 5 * 1024 * 1024;

    /** Every test works below a prefix of its own, because stores are shared between tests. */
    private String prefix = "";

    private Arena arena = Arena.global();

    protected abstract ObjectStore store();

    @BeforeEach
    void takeMemory() {
        prefix = "contract/" + UUID.randomUUID() + '/';
        arena = Arena.ofShared();
    }

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    @Test
    void aStoredObjectIsDescribedAsStored() throws Exception {
        ETag etag = put("a", random(1000, 1));

        ObjectInfo info = store().head(prefix + "a");

        assertThat(info.key()).isEqualTo(prefix + "a");
        assertThat(info.size()).isEqualTo(1000);
        assertThat(info.etag()).isEqualTo(etag);
        assertThat(info.lastModified())
                .isBetween(
                        Instant.now().minus(Duration.ofHours(1)), Instant.now().plusSeconds(60));
        assertThat(info.isReadable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4095, 65_536, 3_000_001})
    void whatIsStoredIsRead(int size) throws Exception {
        byte[] bytes = random(size, size);
        put("object", bytes);

        assertThat(read("object", 0, size)).isEqualTo(bytes);
    }

    @Test
    void aRangeIsReadExactlyAndCutAtTheEnd() throws Exception {
        byte[] bytes = random(100_000, 2);
        put("object", bytes);

        assertThat(read("object", 17, 4096)).isEqualTo(Arrays.copyOfRange(bytes, 17, 17 + 4096));
        assertThat(read("object", 99_999, 500)).isEqualTo(new byte[] {bytes[99_999]});
    }

    @Test
    void anObjectOfAnotherSizeThanItsVersionHadIsNotRead() throws Exception {
        ETag etag = put("object", random(1000, 3));
        MemorySegment memory = arena.allocate(1000);
        ByteRange some = new ByteRange(0, 10);

        assertThat(store().get(new GetRequest(prefix + "object", some, etag, 1000), BodySink.into(memory))
                        .object()
                        .size())
                .isEqualTo(1000);
        assertThatThrownBy(
                        () -> store().get(new GetRequest(prefix + "object", some, etag, 1001), BodySink.into(memory)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isInstanceOf(StoreFailure.Integrity.class));
    }

    @Test
    void anAnswerTellsTheWholeSizeAndTheRangeBeforeTheFirstByte() throws Exception {
        ETag etag = put("object", random(1000, 3));
        List<String> calls = new ArrayList<>();
        MemorySegment memory = arena.allocate(1000);

        GetAnswer answer = store().get(
                        new GetRequest(prefix + "object", new ByteRange(900, 500), etag), new BodySink() {
                            @Override
                            public void begin(GetAnswer early) {
                                calls.add("begin " + early.object().size() + ' ' + early.range());
                            }

                            @Override
                            public MemorySegment space(long offset, long remaining) {
                                calls.add("space " + offset + ' ' + remaining);
                                return memory;
                            }

                            @Override
                            public boolean received(int count) {
                                calls.add("received");
                                return true;
                            }
                        });

        assertThat(answer.object().size()).isEqualTo(1000);
        assertThat(answer.object().etag()).isEqualTo(etag);
        assertThat(answer.range()).isEqualTo(new ByteRange(900, 100));
        assertThat(calls).startsWith("begin 1000 " + new ByteRange(900, 100), "space 900 100", "received");
    }

    @Test
    void aBodyIsSpreadOverManySmallSegments() throws Exception {
        byte[] bytes = random(100_000, 4);
        put("object", bytes);
        List<MemorySegment> segments = new ArrayList<>();

        store().get(new GetRequest(prefix + "object", new ByteRange(0, 100_000), null), new BodySink() {
            @Override
            public MemorySegment space(long offset, long remaining) {
                assertThat(offset).isEqualTo(segments.size() * 777L);
                segments.add(arena.allocate(777));
                return segments.getLast();
            }

            @Override
            public boolean received(int count) {
                return true;
            }
        });

        byte[] seen = new byte[segments.size() * 777];
        for (int i = 0; i < segments.size(); i++) {
            MemorySegment.copy(segments.get(i), ValueLayout.JAVA_BYTE, 0, seen, i * 777, 777);
        }
        assertThat(Arrays.copyOf(seen, 100_000)).isEqualTo(bytes);
        assertThat(segments).hasSize(129);
    }

    @Test
    void aSinkThatHasEnoughStopsTheBodyAndTheStoreWorksOn() throws Exception {
        put("object", random(3_000_000, 5));
        MemorySegment memory = arena.allocate(3_000_000);
        List<Integer> counts = new ArrayList<>();

        store().get(new GetRequest(prefix + "object", new ByteRange(0, 3_000_000), null), new BodySink() {
            @Override
            public MemorySegment space(long offset, long remaining) {
                return memory;
            }

            @Override
            public boolean received(int count) {
                counts.add(count);
                return false;
            }
        });

        assertThat(counts).hasSize(1);
        assertThat(store().head(prefix + "object").size()).isEqualTo(3_000_000);
    }

    @Test
    void aReadOfAnotherVersionFails() throws Exception {
        ETag old = put("object", random(10, 6));
        put("object", random(10, 7));

        assertFailure(() -> get("object", new ByteRange(0, 10), old), StoreFailure.PreconditionFailed.class);
    }

    @Test
    void aReadBehindTheEndFails() throws Exception {
        put("object", random(10, 8));
        put("empty", new byte[0]);

        assertFailure(() -> get("object", new ByteRange(10, 1), null), StoreFailure.RangeNotSatisfiable.class);
        assertFailure(() -> get("empty", new ByteRange(0, 1), null), StoreFailure.RangeNotSatisfiable.class);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertFailure(() -> store().head(prefix + "nothing"), StoreFailure.NoSuchKey.class);
        assertFailure(() -> get("nothing", new ByteRange(0, 1), null), StoreFailure.NoSuchKey.class);
        assertFailure(
                () -> store().copy(new CopySource(prefix + "nothing", new ETag("abc")), prefix + "b", Condition.NONE),
                StoreFailure.NoSuchKey.class);
    }

    @Test
    void deletingIsIdempotent() throws Exception {
        put("object", random(10, 9));

        store().delete(prefix + "object");
        store().delete(prefix + "object");

        assertFailure(() -> store().head(prefix + "object"), StoreFailure.NoSuchKey.class);
    }

    @Test
    void anObjectIsCreatedOnlyOnceWhenItMustBeAbsent() throws Exception {
        store().put(prefix + "object", payload(random(10, 10)), ObjectAttributes.DEFAULTS, Condition.ABSENT);

        assertFailure(
                () -> store().put(
                                prefix + "object", payload(random(9, 11)), ObjectAttributes.DEFAULTS, Condition.ABSENT),
                StoreFailure.PreconditionFailed.class);
        assertThat(store().head(prefix + "object").size()).isEqualTo(10);
    }

    @Test
    void aListingPagesThroughAllKeysOnce() throws Exception {
        for (int i = 0; i < 25; i++) {
            put("list/" + i, random(i, i));
        }
        List<String> keys = new ArrayList<>();
        int pages = 0;
        ListRequest next = ListRequest.everythingBelow(prefix + "list/").withMaxKeys(10);
        ListingPage page;
        do {
            page = store().list(next);
            page.objects().forEach(object -> keys.add(object.key()));
            assertThat(page.objects().size() + page.commonPrefixes().size()).isLessThanOrEqualTo(10);
            next = page.isLast() ? next : next.withContinuation(Objects.requireNonNull(page.continuation()));
            pages++;
        } while (!page.isLast());

        assertThat(pages).isEqualTo(3);
        assertThat(keys).hasSize(25).doesNotHaveDuplicates();
        assertThat(page.objects()).allMatch(ObjectInfo::isComplete);
    }

    @Test
    void aDelimiterFoldsDeeperKeys() throws Exception {
        put("top/a", random(1, 1));
        put("top/b/c", random(1, 1));
        put("top/b/d", random(1, 1));
        put("top/e/f/g", random(1, 1));

        ListingPage page = store().list(ListRequest.directory(prefix + "top/"));

        assertThat(page.objects()).extracting(ObjectInfo::key).containsExactlyInAnyOrder(prefix + "top/a");
        assertThat(page.commonPrefixes()).containsExactlyInAnyOrder(prefix + "top/b/", prefix + "top/e/");
        assertThat(page.isLast()).isTrue();
    }

    @Test
    void aListingOfNothingIsEmptyAndAListingOfNoKeysIsAllowed() throws Exception {
        put("object", random(1, 1));

        assertThat(store().list(ListRequest.directory(prefix + "void/")).objects())
                .isEmpty();
        ListingPage none = store().list(ListRequest.directory(prefix).withMaxKeys(0));
        assertThat(none.objects()).isEmpty();
        assertThat(none.isLast()).isTrue();
    }

    /** Names that a careless client encodes, escapes or parses wrongly. */
    protected List<String> oddNames() {
        return List.of(
                "with space",
                "a+b",
                "100%",
                "%41",
                "a&b",
                "<tag>",
                "quote\"'",
                "semi;colon",
                "question?mark#hash",
                "ümlaut",
                "日本語",
                "emoji-\uD83D\uDE00",
                "tilde~",
                "equals=",
                "comma,",
                "at@",
                "colon:",
                "star*",
                "(paren)",
                "dollar$",
                "plus+space +",
                "back\\slash",
                "]]>",
                "&amp;&#10;",
                "tab\tand\nline",
                "control\u0001\u001f\u007f",
                "\u05D0\u202e\uD83C\uDDFA\uD83C\uDDF3");
    }

    @Test
    void oddKeysAreStoredReadListedAndDeleted() throws Exception {
        for (String name : oddNames()) {
            put("odd/" + name, name.getBytes(StandardCharsets.UTF_8));
        }

        ListingPage page = store().list(ListRequest.everythingBelow(prefix + "odd/"));

        assertThat(page.objects())
                .extracting(ObjectInfo::key)
                .containsExactlyInAnyOrderElementsOf(
                        oddNames().stream().map(name -> prefix + "odd/" + name).toList());
        for (String name : oddNames()) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            assertThat(read("odd/" + name, 0, bytes.length)).as(name).isEqualTo(bytes);
            store().delete(prefix + "odd/" + name);
        }
        assertThat(store().list(ListRequest.everythingBelow(prefix + "odd/")).objects())
                .isEmpty();
    }

    @Test
    void anUploadOfPartsMakesOneObjectAtItsCompletion() throws Exception {
        byte[] first = random(PART, 20);
        byte[] second = random(1234, 21);
        Upload upload = store().createUpload(prefix + "parts", ObjectAttributes.DEFAULTS);
        UploadedPart two = store().uploadPart(upload, 2, payload(second));
        UploadedPart one = store().uploadPart(upload, 1, payload(first));
        assertFailure(() -> store().head(prefix + "parts"), StoreFailure.NoSuchKey.class);

        ETag etag = store().completeUpload(upload, List.of(one, two), Condition.NONE);

        ObjectInfo info = store().head(prefix + "parts");
        assertThat(info.etag()).isEqualTo(etag);
        assertThat(info.size()).isEqualTo(PART + 1234);
        assertThat(read("parts", PART - 10, 30)).isEqualTo(join(first, PART - 10, second, 20));
        assertThat(pendingUploads("parts")).isEmpty();
    }

    @Test
    void anEmptyPartMakesAnEmptyObject() throws Exception {
        Upload upload = store().createUpload(prefix + "empty", ObjectAttributes.DEFAULTS);
        UploadedPart part = store().uploadPart(upload, 1, Payload.EMPTY);

        store().completeUpload(upload, List.of(part), Condition.NONE);

        assertThat(store().head(prefix + "empty").size()).isZero();
    }

    @Test
    void anAbortedUploadIsGoneAndLeavesNoObject() throws Exception {
        Upload upload = store().createUpload(prefix + "aborted", ObjectAttributes.DEFAULTS);
        UploadedPart part = store().uploadPart(upload, 1, payload(random(100, 22)));
        assertThat(pendingUploads("aborted")).containsExactly(upload.id());

        store().abortUpload(upload);
        store().abortUpload(upload);

        assertThat(pendingUploads("aborted")).isEmpty();
        assertFailure(
                () -> store().completeUpload(upload, List.of(part), Condition.NONE), StoreFailure.NoSuchUpload.class);
        assertFailure(() -> store().head(prefix + "aborted"), StoreFailure.NoSuchKey.class);
    }

    @Test
    void aPartCanBeCopiedFromAnObject() throws Exception {
        byte[] bytes = random(PART + 500, 23);
        ETag etag = put("source", bytes);
        Upload upload = store().createUploadWithCopies(prefix + "appended", ObjectAttributes.DEFAULTS);
        UploadedPart copied =
                store().copyPart(upload, 1, new CopySource(prefix + "source", etag), new ByteRange(0, PART + 100));
        UploadedPart fresh = store().uploadPart(upload, 2, payload(random(50, 24)));

        store().completeUpload(upload, List.of(copied, fresh), Condition.NONE);

        assertThat(read("appended", PART + 90, 20)).isEqualTo(join(bytes, PART + 90, 10, random(50, 24), 10));
    }

    @Test
    void aCopyHasTheBytesOfItsSourceAndNeedsItsVersion() throws Exception {
        byte[] bytes = random(5000, 25);
        ETag etag = put("key with + and ü", bytes);

        store().copy(new CopySource(prefix + "key with + and ü", etag), prefix + "copy", Condition.NONE);

        assertThat(read("copy", 0, 5000)).isEqualTo(bytes);
        assertFailure(
                () -> store().copy(
                                new CopySource(prefix + "copy", new ETag("00000000000000000000000000000000")),
                                prefix + "other",
                                Condition.NONE),
                StoreFailure.PreconditionFailed.class);
    }

    @Test
    void manyThreadsUseOneStore() throws Exception {
        byte[] bytes = random(1_000_000, 26);
        put("shared", bytes);
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 32; i++) {
            int offset = i * 31_000;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    assertThat(read("shared", offset, 31_000))
                            .isEqualTo(Arrays.copyOfRange(bytes, offset, offset + 31_000));
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void anInterruptEndsAReadAndStaysSet() throws Exception {
        put("object", random(3_000_000, 27));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>(false);
        MemorySegment memory = arena.allocate(3_000_000);
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                store().get(new GetRequest(prefix + "object", new ByteRange(0, 3_000_000), null), new BodySink() {
                    @Override
                    public MemorySegment space(long offset, long remaining) {
                        begun.countDown();
                        awaitIgnoringInterrupts(interrupted);
                        return memory;
                    }

                    @Override
                    public boolean received(int count) {
                        return true;
                    }
                });
            } catch (StoreException e) {
                failure.set(e);
                flag.set(Thread.currentThread().isInterrupted());
            }
        });
        begun.await();
        reader.interrupt();
        interrupted.countDown();
        reader.join();

        assertThat(failure.get())
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isInstanceOf(StoreFailure.Cancelled.class));
        assertThat(flag.get()).isTrue();
        assertThat(store().head(prefix + "object").size()).isEqualTo(3_000_000);
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        boolean again = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                again = true;
            }
        }
        if (again) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- what the tests say in one word

    protected final ETag put(String name, byte[] bytes) throws StoreException {
        return store().put(prefix + name, payload(bytes), ObjectAttributes.DEFAULTS, Condition.NONE);
    }

    private GetAnswer get(String name, ByteRange range, @Nullable ETag version) throws StoreException {
        return store().get(
                        new GetRequest(prefix + name, range, version), BodySink.into(arena.allocate(range.length())));
    }

    protected final byte[] read(String name, long offset, long length) throws StoreException {
        MemorySegment memory = arena.allocate(length);
        GetAnswer answer =
                store().get(new GetRequest(prefix + name, new ByteRange(offset, length), null), BodySink.into(memory));
        return memory.asSlice(0, answer.range().length()).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Two segments, so that gathering is tested everywhere. */
    private Payload payload(byte[] bytes) {
        MemorySegment whole = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
        MemorySegment.copy(bytes, 0, whole, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return Payload.of(whole.asSlice(0, bytes.length / 3), whole.asSlice(bytes.length / 3));
    }

    /** By the whole key, because that is all that MinIO can look for. */
    private List<String> pendingUploads(String name) throws StoreException {
        return store().listUploads(prefix + name, null).uploads().stream()
                .map(pending -> pending.upload().id())
                .toList();
    }

    protected static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] join(byte[] a, int from, byte[] b, int count) {
        return join(a, from, a.length - from, b, count);
    }

    private static byte[] join(byte[] a, int from, int length, byte[] b, int count) {
        byte[] joined = new byte[length + count];
        System.arraycopy(a, from, joined, 0, length);
        System.arraycopy(b, 0, joined, length, count);
        return joined;
    }

    protected static void assertFailure(ThrowingCallable call, Class<? extends StoreFailure> kind) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.failure()).as(e.getMessage()).isInstanceOf(kind));
    }
}
