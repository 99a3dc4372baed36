package s3csi.s3.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetRequest;
import s3csi.s3.ListRequest;
import s3csi.s3.ListingPage;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.ObjectInfo;
import s3csi.s3.ObjectStore;
import s3csi.s3.RestoreStatus;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;

class MemoryObjectStoreTest extends ObjectStoreContract {
    private final MemoryObjectStore store = new MemoryObjectStore();

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Test
    void requestsAreCountedByKind() throws Exception {
        store.add("a", new byte[] {1});
        store.head("a");
        store.head("a");
        store.delete("a");

        assertThat(store.requests(StoreOperation.HEAD_OBJECT)).isEqualTo(2);
        assertThat(store.requests()).isEqualTo(3);
        store.forgetRequests();
        assertThat(store.requests()).isZero();
    }

    @Test
    void aShuffledListingHoldsTheSameEntriesInAnotherOrder() throws Exception {
        for (int i = 0; i < 50; i++) {
            store.add("d" + i % 5 + "/" + i, new byte[i]);
            store.add(String.valueOf(i), new byte[i]);
        }
        List<String> ordered = entries();

        store.listsShuffled(42).pagesOf(7);

        assertThat(entries()).isNotEqualTo(ordered).containsExactlyInAnyOrderElementsOf(ordered);
    }

    private List<String> entries() throws Exception {
        List<String> names = new ArrayList<>();
        ListRequest next = ListRequest.directory("");
        while (true) {
            ListingPage page = store.list(next);
            page.objects().stream().map(ObjectInfo::key).forEach(names::add);
            names.addAll(page.commonPrefixes());
            if (page.isLast()) {
                return names;
            }
            next = next.withContinuation(Objects.requireNonNull(page.continuation()));
        }
    }

    @Test
    void aHugeComputedObjectIsReadAnywhere() throws Exception {
        store.addRamp("huge", 1L << 45, 7);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(100);
            store.get(new GetRequest("huge", new ByteRange((1L << 44) + 3, 100), null), BodySink.into(memory));

            assertThat(memory.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo(Content.Ramp.byteAt(7, (1L << 44) + 102));
        }
    }

    @Test
    void anArchivedObjectIsReadOnlyOnceRestored() throws Exception {
        store.add("cold", new byte[] {1});
        store.archive("cold", "GLACIER", RestoreStatus.IN_PROGRESS);
        try (Arena arena = Arena.ofConfined()) {
            BodySink sink = BodySink.into(arena.allocate(1));
            GetRequest request = new GetRequest("cold", new ByteRange(0, 1), null);
            assertFailure(() -> store.get(request, sink), StoreFailure.Archived.class);

            store.archive("cold", "GLACIER", new RestoreStatus.Restored(Instant.MAX));

            assertThat(store.get(request, sink).range().length()).isEqualTo(1);
        }
    }

    @Test
    void uploadsInProgressAreKnownByKey() throws Exception {
        Upload upload = store.createUpload("key", ObjectAttributes.DEFAULTS);
        assertThat(store.hasUploadInProgress("key")).isTrue();

        store.abortUpload(upload);

        assertThat(store.hasUploadInProgress("key")).isFalse();
    }
}
