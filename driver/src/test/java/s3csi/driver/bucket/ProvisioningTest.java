package s3csi.driver.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import s3csi.volume.BucketName;
import s3csi.volume.BucketNaming;
import s3csi.volume.CapacityRange;
import s3csi.volume.Cause;
import s3csi.volume.Region;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeName;

class ProvisioningTest {
    private static final VolumeName VOLUME = new VolumeName("pvc-1");
    private static final BucketName BUCKET = BucketNaming.bucketFor("", VOLUME);
    private static final String OWNER = "s3.csi.scality.com/owner";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final FakeBucketStore store = new FakeBucketStore();
    private final Provisioning provisioning = new Provisioning(store, new BucketMetrics(registry));

    private static Provisioning.Request request(long required, long limit) {
        return new Provisioning.Request(BUCKET, VOLUME, new CapacityRange(required, limit), Optional.empty());
    }

    private double kept(String reason) {
        return registry.scrape().stream()
                .filter(CounterSnapshot.class::isInstance)
                .flatMap(snapshot -> ((CounterSnapshot) snapshot).getDataPoints().stream())
                .filter(point -> reason.equals(point.getLabels().get("reason")))
                .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
                .sum();
    }

    @Test
    void aNewBucketIsMadeAndTagged() {
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThat(store.buckets.get(BUCKET))
                .containsEntry(OWNER, "s3.csi.scality.com")
                .containsEntry("s3.csi.scality.com/volume-name", "pvc-1")
                .containsEntry("s3.csi.scality.com/capacity-bytes", "5");
    }

    @Test
    void aRepeatFindsTheSameBucketEvenWithDataInIt() {
        provisioning.provision(request(5, 0));
        store.full.add(BUCKET);
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThat(provisioning.provision(request(0, 0))).isEqualTo(5);
    }

    @Test
    void aTryThatEndedBeforeTaggingIsTakenUpAgain() {
        store.buckets.put(BUCKET, Map.of("cost-centre", "7"));
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThat(store.buckets.get(BUCKET))
                .containsEntry(OWNER, "s3.csi.scality.com")
                .containsEntry("cost-centre", "7");
    }

    @Test
    void anotherSizeIsAnotherVolume() {
        provisioning.provision(request(5, 0));
        assertThatThrownBy(() -> provisioning.provision(request(10, 10))).satisfies(is(Cause.VolumeDiffers.class));
        assertThatThrownBy(() -> provisioning.provision(request(1, 4))).satisfies(is(Cause.VolumeDiffers.class));
    }

    @Test
    void anotherRegionIsAnotherVolume() {
        provisioning.provision(request(5, 0));
        var elsewhere = new Provisioning.Request(BUCKET, VOLUME, CapacityRange.ANY, Optional.of(new Region("eu-1")));
        assertThatThrownBy(() -> provisioning.provision(elsewhere)).satisfies(is(Cause.VolumeDiffers.class));
    }

    @Test
    void aSpoiltCapacityTagIsNoReasonToFail() {
        store.buckets.put(BUCKET, Map.of(OWNER, "s3.csi.scality.com", "s3.csi.scality.com/capacity-bytes", "many"));
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
    }

    @Test
    void aSpoiltRegionTagIsNoReasonToFail() {
        store.buckets.put(BUCKET, Map.of(OWNER, "s3.csi.scality.com", "s3.csi.scality.com/region", "../"));
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
    }

    @Test
    void aStrangersBucketIsNotUsed() {
        store.ofAnother.add(BUCKET);
        assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.BucketOfAnother.class));
        store.ofAnother.clear();

        store.buckets.put(BUCKET, Map.of(OWNER, "somebody"));
        assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.BucketOfAnother.class));

        store.buckets.put(BUCKET, Map.of());
        store.full.add(BUCKET);
        assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.BucketOfAnother.class));
    }

    @Test
    void withoutTagsTheStoresOwnerDecides() {
        store.hasTags = false;
        store.tagFailure = new Cause.StoreRefused("tag", "501");
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        store.full.add(BUCKET);
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
    }

    /** A bucket that was made and then refused would be made for nothing at every try. */
    @Test
    void aBucketThatMayNotBeTaggedIsUsedAllTheSame() {
        store.tagFailure = new Cause.AccessDenied("tag bucket", "s3:PutBucketTagging");
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThat(store.calls).containsSubsequence("create", "tag", "create", "tag");
    }

    @Test
    void withoutThePermissionToLookTheStoresOwnerDecides() {
        store.mayLook = false;
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
    }

    @Test
    void whatTheStoreSaysIsPassedOn() {
        store.failure = new Cause.StoreBusy("make bucket", "503");
        assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.StoreBusy.class));
        assertThatThrownBy(() -> provisioning.remove(BUCKET)).satisfies(is(Cause.StoreBusy.class));
        assertThat(store.buckets).isEmpty();
    }

    @Test
    void theStoreSaysWhoseABucketIsBeforeAnythingIsSeenOfIt() {
        provisioning.provision(request(5, 0));
        assertThat(store.calls).containsExactly("create", "tags", "isEmpty", "tag");
    }

    @Test
    void aReadableEmptyBucketOfAnotherAccountIsNotTaken() {
        store.ofAnother.add(BUCKET);
        store.othersAreReadable = true;
        for (Map<String, String> tags : List.of(Map.<String, String>of(), Map.of(OWNER, "s3.csi.scality.com"))) {
            store.buckets.put(BUCKET, tags);
            assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.BucketOfAnother.class));
            assertThat(store.buckets.get(BUCKET)).isEqualTo(tags);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whateverTheStoreAnswersForABucketOfOursItIsLookedAtAndNeverDeleted(BucketStore.Creation answer) {
        store.answerToRepeat = answer;
        provisioning.provision(request(5, 0));
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThatThrownBy(() -> provisioning.provision(request(9, 9))).satisfies(is(Cause.VolumeDiffers.class));

        store.buckets.put(BUCKET, Map.of("cost-centre", "7"));
        assertThat(provisioning.provision(request(5, 0))).isEqualTo(5);
        assertThat(store.buckets.get(BUCKET)).containsEntry("cost-centre", "7").containsKey(OWNER);

        store.buckets.put(BUCKET, Map.of("cost-centre", "7"));
        store.full.add(BUCKET);
        assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.BucketOfAnother.class));
        store.buckets.put(BUCKET, Map.of(OWNER, "somebody"));
        assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.BucketOfAnother.class));
        assertThat(store.buckets.get(BUCKET)).containsExactly(Map.entry(OWNER, "somebody"));
        assertThat(store.calls).doesNotContain("delete");
    }

    @Test
    void aNameThatIsTakenAndNotListedIsAnothers() {
        provisioning.provision(request(5, 0));
        store.answerToRepeat = BucketStore.Creation.TAKEN;
        store.listsItsOwn = false;
        assertThatThrownBy(() -> provisioning.provision(request(5, 0))).satisfies(is(Cause.BucketOfAnother.class));
    }

    @Test
    void anEmptyBucketIsDeletedTaggedOrNot() {
        provisioning.provision(request(5, 0));
        provisioning.remove(BUCKET);
        assertThat(store.buckets).isEmpty();
        store.buckets.put(BUCKET, Map.of());
        provisioning.remove(BUCKET);
        provisioning.remove(BUCKET);
        assertThat(store.buckets).isEmpty();
    }

    @Test
    void aBucketWithDataIsKeptAndCounted() {
        provisioning.provision(request(5, 0));
        store.full.add(BUCKET);
        provisioning.remove(BUCKET);
        assertThat(store.buckets).containsKey(BUCKET);
        assertThat(kept("not-empty")).isEqualTo(1);
    }

    @Test
    void aBucketThatNamesAnotherOwnerIsKeptAndCounted() {
        store.buckets.put(BUCKET, Map.of(OWNER, "somebody"));
        provisioning.remove(BUCKET);
        assertThat(store.buckets).containsKey(BUCKET);
        assertThat(kept("of-another")).isEqualTo(1);
    }

    private static Consumer<Throwable> is(Class<? extends Cause> cause) {
        return failure -> assertThat(((VolumeFailure) failure).reason()).isInstanceOf(cause);
    }
}
