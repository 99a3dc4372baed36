package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.provisioner.model.Marks;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.cluster.StandInDriver.Fate;
import s3csi.volume.Driver;

/** What becomes of volumes that were released, or shall go. */
@Tag("api")
class ReclaimApiTest {
    private static ControlPlane plane;
    private static Path directory;
    private static Path socket;
    private static StandInDriver driver;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("reclaim");
        socket = directory.resolve("csi.sock");
        driver = new StandInDriver(socket);
    }

    @AfterAll
    static void stop() {
        driver.close();
        plane.close();
        Scratch.delete(directory);
    }

    @AfterEach
    void repair() {
        driver.deleting = _ -> new Fate.Done();
    }

    private static ClaimScenario scenario(String name) {
        return new ClaimScenario(plane.client(), name);
    }

    /** A volume as csi-provisioner 5 leaves it, whose claim has gone. */
    private static PersistentVolume left(ClaimScenario scenario, String name, String provisioner, String... secret) {
        PersistentVolume volume = plane.client()
                .resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToAnnotations(Marks.PROVISIONED_BY, provisioner)
                        .addToAnnotations(Marks.DELETION_SECRET_NAME, secret.length == 0 ? "" : secret[1])
                        .addToAnnotations(Marks.DELETION_SECRET_NAMESPACE, secret.length == 0 ? "" : secret[0])
                        .withFinalizers(Marks.FINALIZER)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteMany")
                        .addToCapacity("storage", new Quantity("1Gi"))
                        .withPersistentVolumeReclaimPolicy("Delete")
                        .withStorageClassName(scenario.className())
                        .withNewClaimRef()
                        .withNamespace(scenario.namespace())
                        .withName("gone")
                        .withUid("gone")
                        .endClaimRef()
                        .withNewCsi()
                        .withDriver(provisioner)
                        .withVolumeHandle(StandInDriver.idOf(name))
                        .addToVolumeAttributes(Marks.IDENTITY, "1-2-" + provisioner)
                        .endCsi()
                        .endSpec()
                        .build())
                .create();
        driver.has(name);
        scenario.becomes(name, "Released");
        return volume;
    }

    private static void awaitGone(ClaimScenario scenario, String name) {
        scenario.soon(
                "the bucket of " + name + " is deleted", () -> !driver.volumes().contains(name));
        scenario.soon(
                "its finalizer is removed",
                () -> scenario.volume(name)
                        .map(volume -> !volume.getMetadata().getFinalizers().contains(Marks.FINALIZER))
                        .orElse(true));
        scenario.volume(name).ifPresent(_ -> scenario.unprotect(name));
        scenario.soon("its object is gone", () -> scenario.volume(name).isEmpty());
    }

    @Test
    void aReleasedVolumeIsDeletedWithTheKeysThatMadeIt() {
        ClaimScenario scenario = scenario("delete");
        scenario.storageClass(Map.of(
                "csi.storage.k8s.io/provisioner-secret-name", "keys",
                "csi.storage.k8s.io/provisioner-secret-namespace", "delete"));
        scenario.secret("delete", "keys", Map.of("access_key_id", "tenant"));
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            String name = scenario.awaitVolume(claim).getMetadata().getName();
            scenario.becomes(name, "Bound");
            scenario.delete(claim);
            assertThat(driver.deleted(StandInDriver.idOf(name))).isEmpty();
            scenario.becomes(name, "Released");
            awaitGone(scenario, name);
            assertThat(driver.deleted(StandInDriver.idOf(name)))
                    .isNotEmpty()
                    .allMatch(request -> request.getSecretsMap().equals(Map.of("access_key_id", "tenant")));
        }
    }

    /** With its finalizer a volume that somebody deletes first waits for its claim, and its bucket goes before it. */
    @Test
    void aVolumeThatIsDeletedBeforeItsClaimTakesItsBucketAlong() {
        ClaimScenario scenario = scenario("first");
        scenario.storageClass(Map.of());
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            PersistentVolume volume = scenario.awaitVolume(claim);
            String name = volume.getMetadata().getName();
            scenario.becomes(name, "Bound");
            plane.client().resource(volume).delete();
            scenario.delete(claim);
            scenario.becomes(name, "Released");
            awaitGone(scenario, name);
        }
    }

    @Test
    void aVolumeThatShallBeRetainedIsLetGoAndItsBucketKept() {
        ClaimScenario scenario = scenario("retain");
        scenario.storageClass(Map.of(), made -> made.withReclaimPolicy("Retain"));
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            String name = scenario.awaitVolume(claim).getMetadata().getName();
            scenario.soon(
                    "nothing holds it",
                    () -> !scenario.volume(name)
                            .orElseThrow()
                            .getMetadata()
                            .getFinalizers()
                            .contains(Marks.FINALIZER));
            scenario.becomes(name, "Released");
            left(scenario, "after-retain", "s3.csi.scality.com");
            awaitGone(scenario, "after-retain");
            assertThat(scenario.volume(name)).isPresent();
            assertThat(driver.volumes()).contains(name);
        }
    }

    /** Somebody changes his mind while the volume is used. */
    @Test
    void aVolumeThatShallBeDeletedAfterAllIsHeldAgain() {
        ClaimScenario scenario = scenario("changed");
        scenario.storageClass(Map.of(), made -> made.withReclaimPolicy("Retain"));
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            String name = scenario.awaitVolume(claim).getMetadata().getName();
            scenario.becomes(name, "Bound");
            plane.client()
                    .persistentVolumes()
                    .withName(name)
                    .edit(found -> new PersistentVolumeBuilder(found)
                            .editSpec()
                            .withPersistentVolumeReclaimPolicy("Delete")
                            .endSpec()
                            .build());
            scenario.soon(
                    "it is held",
                    () -> scenario.volume(name)
                            .orElseThrow()
                            .getMetadata()
                            .getFinalizers()
                            .contains(Marks.FINALIZER));
        }
    }

    @Test
    void whatCsiProvisionerMadeIsDeletedLikeOurOwn() {
        ClaimScenario scenario = scenario("adopted");
        scenario.secret("adopted", "keys", Map.of("access_key_id", "tenant"));
        left(scenario, "pvc-adopted", "s3.csi.scality.com", "adopted", "keys");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            awaitGone(scenario, "pvc-adopted");
            assertThat(driver.deleted(StandInDriver.idOf("pvc-adopted"))
                            .getFirst()
                            .getSecretsMap())
                    .isEqualTo(Map.of("access_key_id", "tenant"));
        }
    }

    @Test
    void theVolumeOfAnotherProvisionerIsNeverTouched() {
        ClaimScenario scenario = scenario("foreign");
        PersistentVolume foreign = left(scenario, "pvc-foreign", "another.csi");
        left(scenario, "pvc-ours", "s3.csi.scality.com");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            awaitGone(scenario, "pvc-ours");
            assertThat(scenario.volume("pvc-foreign").orElseThrow().getMetadata())
                    .satisfies(metadata -> {
                        assertThat(metadata.getUid())
                                .isEqualTo(foreign.getMetadata().getUid());
                        assertThat(metadata.getDeletionTimestamp()).isNull();
                        assertThat(metadata.getFinalizers()).contains(Marks.FINALIZER);
                    });
            assertThat(driver.deleted(StandInDriver.idOf("pvc-foreign"))).isEmpty();
        }
    }

    @Test
    void aDeletionThatFailsIsToldAndTriedAgain() {
        ClaimScenario scenario = scenario("stuck");
        AtomicInteger failures = new AtomicInteger();
        driver.deleting = _ -> failures.getAndIncrement() < 2
                ? new Fate.Refused(Status.PERMISSION_DENIED.withDescription("the keys may not delete buckets"))
                : new Fate.Done();
        PersistentVolume volume = left(scenario, "pvc-stuck", "s3.csi.scality.com");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            assertThat(scenario.awaitEvent(volume, "VolumeFailedDelete")).contains("the keys may not delete buckets");
            awaitGone(scenario, "pvc-stuck");
        }
    }

    /** Other keys than those that made it do not stand in for them. */
    @Test
    void withoutItsSecretAVolumeIsNotDeletedByOtherKeys() {
        ClaimScenario scenario = scenario("no-keys");
        PersistentVolume volume = left(scenario, "pvc-no-keys", "s3.csi.scality.com", "no-keys", "keys");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            assertThat(scenario.awaitEvent(volume, "VolumeFailedDelete")).contains("there is no Secret no-keys/keys");
            assertThat(driver.deleted(StandInDriver.idOf("pvc-no-keys"))).isEmpty();
            scenario.secret("no-keys", "keys", Map.of("access_key_id", "tenant"));
            awaitGone(scenario, "pvc-no-keys");
            assertThat(driver.deleted(StandInDriver.idOf("pvc-no-keys")))
                    .extracting(request -> request.getSecretsMap().get("access_key_id"))
                    .containsOnly("tenant");
        }
    }

    /** Another holds it by now, and knows what has become of the volume since. */
    @Test
    void whoDoesNotHoldTheLeaseHasNoBucketDeleted() {
        ClaimScenario scenario = scenario("lease");
        scenario.storageClass(Map.of());
        AtomicBoolean holdsLease = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        BooleanSupplier mayWrite = () -> {
            asked.incrementAndGet();
            return holdsLease.get();
        };
        left(scenario, "lost-lease", Driver.NAME);
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket, mayWrite)) {
            scenario.soon("it has tried more than once", () -> asked.get() > 2);
            assertThat(driver.deleted(StandInDriver.idOf("lost-lease"))).isEmpty();
            holdsLease.set(true);
            awaitGone(scenario, "lost-lease");
        }
    }

    @Test
    void aDeletionWhoseAnswerIsLostIsFinished() {
        ClaimScenario scenario = scenario("lost-delete");
        AtomicInteger calls = new AtomicInteger();
        driver.deleting = _ -> calls.getAndIncrement() == 0 ? new Fate.AnswerLost() : new Fate.Done();
        left(scenario, "pvc-lost-delete", "s3.csi.scality.com");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            awaitGone(scenario, "pvc-lost-delete");
            assertThat(List.of(2, 3)).contains(calls.get());
        }
    }
}
