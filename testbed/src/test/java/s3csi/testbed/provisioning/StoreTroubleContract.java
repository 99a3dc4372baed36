package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.testbed.csi.Refusals.refused;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.Volume;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Await;
import s3csi.volume.BucketNaming;
import s3csi.volume.VolumeName;

/** Answers get lost, stores go away, keys are wrong: nothing is half-done, and a repeated call finds its way. */
abstract class StoreTroubleContract extends ProvisioningStage {
    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void theLostAnswerOfAMadeBucketLeavesOneBucketWithItsTags() {
        int lost = network.answersLost();
        network.loseNextAnswer("PUT /" + bucketOf("pvc-lost"));
        int buckets = buckets().size();

        Volume volume = createUntilServed("pvc-lost");

        assertThat(network.answersLost()).isEqualTo(lost + 1);
        assertThat(volume.getVolumeId()).isEqualTo(bucketOf("pvc-lost"));
        assertThat(buckets()).hasSize(buckets + 1).contains(volume.getVolumeId());
        assertThat(tagsOf(volume.getVolumeId())).containsEntry("s3.csi.scality.com/volume-name", "pvc-lost");
    }

    @Test
    void theLostAnswerOfTaggingLeavesTheTags() {
        int lost = network.answersLost();
        network.loseNextAnswer("PUT /" + bucketOf("pvc-tag-lost") + "?tagging");

        Volume volume = createUntilServed("pvc-tag-lost");

        assertThat(network.answersLost()).isEqualTo(lost + 1);
        assertThat(tagsOf(volume.getVolumeId())).containsEntry("s3.csi.scality.com/volume-name", "pvc-tag-lost");
    }

    @Test
    void theLostAnswerOfADeletedBucketIsNoError() {
        int lost = network.answersLost();
        String bucket = create(Requests.create("pvc-delete-lost")).getVolumeId();
        network.loseNextAnswer("DELETE /" + bucket);

        delete(bucket);

        assertThat(network.answersLost()).isEqualTo(lost + 1);
        assertThat(buckets()).doesNotContain(bucket);
    }

    @Test
    void aWrongSecretKeyIsUnauthenticatedAndMakesNothing() {
        driverSecret.rotate(new Credentials.Keys(driverKeys.accessKeyId(), "wrong-secret-key"));

        assertThatNothingIsMade("pvc-wrong-secret", Code.UNAUTHENTICATED, "in the driver's credential Secret");
    }

    @Test
    void anUnknownAccessKeyIsUnauthenticatedAndMakesNothing() {
        driverSecret.rotate(new Credentials.Keys("nobody", "nobodys-secret"));

        assertThatNothingIsMade("pvc-unknown-key", Code.UNAUTHENTICATED, "does not accept the keys");
    }

    @Test
    void wrongKeysDeleteNothing() {
        String bucket = create(Requests.create("pvc-kept")).getVolumeId();
        driverSecret.rotate(new Credentials.Keys(driverKeys.accessKeyId(), "wrong-secret-key"));

        refused(Code.UNAUTHENTICATED, () -> delete(bucket));
        assertThat(buckets()).contains(bucket);
    }

    @Test
    void withoutKeysItSaysWhichSecretToFill() {
        driverSecret.rotate(Map.of());

        assertThatNothingIsMade("pvc-no-keys", Code.UNAUTHENTICATED, "credential Secret");
    }

    @Test
    void aMalformedKeyIsNamedButNotShown() {
        driverSecret.rotate(Map.of("access_key_id", "fine", "secret_access_key", "canary\nx"));

        String message = assertThatNothingIsMade("pvc-malformed", Code.INVALID_ARGUMENT, "secret_access_key");
        assertThat(message).doesNotContain("canary");
    }

    @Test
    void rotatedKeysAreUsedByTheNextCall() {
        driverSecret.rotate(new Credentials.Keys("old-key", "old-secret"));
        refused(Code.UNAUTHENTICATED, () -> create(Requests.create("pvc-rotated")));

        driverSecret.rotate(driverKeys);

        assertThat(create(Requests.create("pvc-rotated")).getVolumeId()).isIn(buckets());
    }

    @Test
    void aStoreThatIsDownIsUnavailableUntilItIsBack() {
        server.kill();
        long started = System.nanoTime();
        refused(Code.UNAVAILABLE, () -> create(Requests.create("pvc-away")));
        assertThat(since(started)).isLessThan(BOUND);

        server.restart();

        assertThat(create(Requests.create("pvc-away")).getVolumeId()).isIn(buckets());
    }

    @Test
    void aRefusedConnectionIsUnavailableForDeletionTooAndTheBucketStaysUntilItWorks() {
        String bucket = create(Requests.create("pvc-delete-away")).getVolumeId();
        network.refuse();
        assertThat(refused(Code.UNAVAILABLE, () -> delete(bucket)))
                .contains(network.endpoint().toString(), "refused");
        assertThat(buckets()).contains(bucket);

        network.pass();
        delete(bucket);

        assertThat(buckets()).doesNotContain(bucket);
    }

    @Test
    void aStoreThatSwallowsEverythingIsUnavailableWithinBounds() {
        network.blackhole();
        long started = System.nanoTime();

        assertThat(refused(Code.UNAVAILABLE, () -> create(Requests.create("pvc-swallowed"))))
                .contains("no answer in time");

        assertThat(since(started)).isLessThan(BOUND);
        network.pass();
        assertThat(create(Requests.create("pvc-swallowed")).getVolumeId()).isIn(buckets());
    }

    @Test
    void aCallForAVolumeThatIsBeingWorkedOnIsAborted() throws Exception {
        String bucket = bucketOf("pvc-stuck");
        network.blackhole();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> calls = List.of(
                    callers.submit(() -> isAborted(() -> create(Requests.create("pvc-stuck")))),
                    callers.submit(() -> isAborted(() -> create(Requests.create("pvc-stuck")))));
            Await.until(
                    BOUND, () -> "no call was turned away", () -> calls.stream().anyMatch(Future::isDone));
            refused(Code.ABORTED, () -> delete(bucket));

            network.pass();

            assertThat(List.of(calls.get(0).get(), calls.get(1).get())).containsExactlyInAnyOrder(true, false);
        }
        assertThat(buckets()).contains(bucket);
    }

    @Test
    void manyCallsForOneVolumeMakeOneBucket() throws Exception {
        int buckets = buckets().size();
        List<Future<Boolean>> calls = new ArrayList<>();
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                calls.add(many.submit(() -> isAborted(() -> create(Requests.create("pvc-many")))));
            }
        }
        int served = 0;
        for (Future<Boolean> call : calls) {
            served += call.get() ? 0 : 1;
        }
        assertThat(served).isPositive();
        assertThat(buckets()).hasSize(buckets + 1).contains(bucketOf("pvc-many"));
    }

    /** Whether the call was turned away because of another one; any other refusal is thrown. */
    private static boolean isAborted(Callable<?> call) {
        try {
            call.call();
            return false;
        } catch (StatusRuntimeException refusal) {
            if (refusal.getStatus().getCode() == Code.ABORTED) {
                return true;
            }
            throw refusal;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private String assertThatNothingIsMade(String name, Code code, String words) {
        List<String> before = buckets();
        String message = refused(code, () -> create(Requests.create(name)));
        assertThat(message).contains(words);
        assertThat(buckets()).isEqualTo(before);
        return message;
    }

    /** The driver may try again by itself, or the caller has to. */
    private Volume createUntilServed(String name) {
        try {
            return create(Requests.create(name));
        } catch (StatusRuntimeException refusal) {
            assertThat(refusal.getStatus().getCode()).isEqualTo(Code.UNAVAILABLE);
            return create(Requests.create(name));
        }
    }

    private static String bucketOf(String name) {
        return BucketNaming.bucketFor("", new VolumeName(name)).text();
    }

    private static Duration since(long started) {
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
