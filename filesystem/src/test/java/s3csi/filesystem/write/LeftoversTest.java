package s3csi.filesystem.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.Eventually;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.FaultyObjectStore;
import s3csi.s3.testing.MemoryObjectStore;

/** Parts of files that could not be stored do not stay behind because the store was away. */
class LeftoversTest {
    private final MemoryObjectStore memory = new MemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(memory);
    private final List<Upload> aborted = new CopyOnWriteArrayList<>();

    private Upload upload(String key) throws StoreException {
        return memory.createUpload(key, ObjectAttributes.DEFAULTS);
    }

    private int pending() throws StoreException {
        return memory.listUploads("", null).uploads().size();
    }

    private void failAborts(int count, StoreFailure why) {
        for (int i = 1; i <= count; i++) {
            store.at(StoreOperation.ABORT_UPLOAD, i, new Fault.Fail(why));
        }
    }

    @Test
    void whatCouldNotBeAbortedIsAbortedWhenTheStoreIsBack() throws Exception {
        failAborts(5, new StoreFailure.Unreachable());
        try (Leftovers leftovers = new Leftovers(store, aborted::add, Duration.ofMillis(1))) {
            Upload first = upload("first");
            Upload second = upload("second");
            leftovers.abort(first);
            leftovers.abort(second);

            Eventually.that(() -> aborted.size() == 2);

            assertThat(aborted).containsExactlyInAnyOrder(first, second);
            assertThat(pending()).isZero();
        }
    }

    @Test
    void whatTheStoreRefusesIsNotTriedAgain() throws Exception {
        failAborts(1, new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED));
        try (Leftovers leftovers = new Leftovers(store, aborted::add, Duration.ofMillis(1))) {
            leftovers.abort(upload("refused"));
            leftovers.abort(upload("other"));

            assertThat(aborted).extracting(Upload::key).containsExactly("other");
            assertThat(pending()).isEqualTo(1);
        }
    }

    @Test
    void theEndDoesNotWaitForAStoreThatIsAway() throws Exception {
        failAborts(100, new StoreFailure.Unreachable());
        Leftovers leftovers = new Leftovers(store, aborted::add, Duration.ofDays(1));
        leftovers.abort(upload("left"));

        leftovers.close();

        assertThat(aborted).isEmpty();
        assertThat(pending()).isEqualTo(1);
    }

    @Test
    void whatIsLeftLaterIsAbortedToo() throws Exception {
        try (Leftovers leftovers = new Leftovers(store, aborted::add, Duration.ofMillis(1))) {
            for (int i = 1; i <= 5; i++) {
                int number = i;
                // The one before is aborted by its second try.
                store.at(StoreOperation.ABORT_UPLOAD, 2 * i - 1, new Fault.Fail(new StoreFailure.Unreachable()));
                leftovers.abort(upload("left " + i));
                Eventually.that(() -> aborted.size() == number);
            }
            assertThat(pending()).isZero();
        }
    }

    @Test
    void whatTheStoreRefusesWhenItIsBackDoesNotStopTheOthers() throws Exception {
        failAborts(2, new StoreFailure.Timeout());
        store.at(
                StoreOperation.ABORT_UPLOAD,
                3,
                new Fault.Fail(new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED)));
        try (Leftovers leftovers = new Leftovers(store, aborted::add, Duration.ofMillis(20))) {
            leftovers.abort(upload("refused"));
            leftovers.abort(upload("other"));

            Eventually.that(() -> aborted.size() == 1);

            assertThat(aborted).extracting(Upload::key).containsExactly("other");
            assertThat(memory.hasUploadInProgress("refused")).isTrue();
        }
    }

    @Test
    void nothingIsAskedOfTheStoreAfterTheEnd() throws Exception {
        failAborts(1, new StoreFailure.Throttled());
        Leftovers leftovers = new Leftovers(store, aborted::add, Duration.ofMillis(1));
        leftovers.close();
        leftovers.abort(upload("left"));

        assertThat(aborted).isEmpty();
        assertThat(pending()).isEqualTo(1);
    }

    /** A store that is away for hours must not cost memory without end. */
    @Test
    void noMoreThanAThousandAreRemembered() throws Exception {
        store.always(StoreOperation.ABORT_UPLOAD, new Fault.Fail(new StoreFailure.Unreachable()));
        try (Leftovers leftovers = new Leftovers(store, aborted::add, Duration.ofMillis(1))) {
            for (int i = 0; i < 1010; i++) {
                leftovers.abort(upload("left " + i));
            }
            store.heal();
            Eventually.that(() -> aborted.size() >= 1000);
            leftovers.abort(upload("later"));

            Eventually.that(() -> aborted.stream().anyMatch(each -> each.key().equals("later")));
            // One more may have been on its way while another was taken.
            assertThat(aborted).hasSizeBetween(1001, 1002);
        }
    }

    @Test
    void aStoreThatStaysAwayIsLeftInPeaceBetweenTwoTries() throws Exception {
        Duration pause = Duration.ofMillis(100);
        failAborts(5, new StoreFailure.Unreachable());
        long begun = System.nanoTime();
        try (Leftovers leftovers = new Leftovers(store, aborted::add, pause)) {
            leftovers.abort(upload("left"));
            Eventually.that(() -> aborted.size() == 1);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .as("a pause after each of five tries")
                .isGreaterThanOrEqualTo(pause.multipliedBy(5));
    }
}
