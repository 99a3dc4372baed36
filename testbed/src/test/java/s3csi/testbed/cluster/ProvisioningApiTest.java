package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.provisioner.csi.CsiAddress;
import s3csi.provisioner.csi.CsiController;
import s3csi.provisioner.model.Marks;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.cluster.StandInDriver.Fate;

/** What becomes of claims, whatever the driver does. */
@Tag("api")
class ProvisioningApiTest {
    private static final String BY_CLAIM = "${pvc.name}-keys";

    private static ControlPlane plane;
    private static Path directory;
    private static Path socket;
    private static StandInDriver driver;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        directory = Scratch.directory("provisioning");
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
        driver.creating = _ -> new Fate.Done();
        driver.deleting = _ -> new Fate.Done();
    }

    private static ClaimScenario scenario(String name) {
        return new ClaimScenario(plane.client(), name);
    }

    private static Map<String, String> withSecret(String name, String namespace) {
        return Map.of(
                "bucketNamePrefix", "team-",
                "csi.storage.k8s.io/provisioner-secret-name", name,
                "csi.storage.k8s.io/provisioner-secret-namespace", namespace,
                "csi.storage.k8s.io/node-publish-secret-name", "mount-" + name,
                "csi.storage.k8s.io/node-publish-secret-namespace", namespace);
    }

    @Test
    void aClaimGetsAVolumeAtOnce() {
        ClaimScenario scenario = scenario("at-once");
        scenario.storageClass(Map.of("bucketNamePrefix", "team-"));
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            PersistentVolume volume = scenario.awaitVolume(claim);
            String name = ClaimScenario.volumeOf(claim);

            CreateVolumeRequest request = driver.asked(name).getFirst();
            assertThat(request.getParametersMap()).isEqualTo(Map.of("bucketNamePrefix", "team-"));
            assertThat(request.getSecretsMap()).isEmpty();
            assertThat(request.getCapacityRange().getRequiredBytes()).isEqualTo(1L << 30);
            assertThat(request.getVolumeCapabilitiesList()).singleElement().satisfies(capability -> {
                assertThat(capability.getAccessMode().getMode()).isEqualTo(Mode.MULTI_NODE_MULTI_WRITER);
                assertThat(capability.getMount().getMountFlagsList()).containsExactly("allow-delete");
            });
            assertThat(volume.getMetadata().getFinalizers()).contains(Marks.FINALIZER);
            assertThat(volume.getSpec().getClaimRef().getUid())
                    .isEqualTo(claim.getMetadata().getUid());
            assertThat(volume.getSpec().getPersistentVolumeReclaimPolicy()).isEqualTo("Delete");
            assertThat(volume.getSpec().getMountOptions()).containsExactly("allow-delete");
            assertThat(volume.getSpec().getCapacity().get("storage")).hasToString("1Gi");
            assertThat(volume.getSpec().getCsi().getVolumeHandle()).isEqualTo(StandInDriver.idOf(name));
            assertThat(volume.getSpec().getCsi().getVolumeAttributes())
                    .containsEntry("bucketName", StandInDriver.idOf(name))
                    .hasEntrySatisfying(
                            Marks.IDENTITY, identity -> assertThat(identity).matches("\\d+-\\d+-s3.csi.scality.com"));
            assertThat(scenario.awaitEvent(claim, "Provisioning")).contains(name);
            assertThat(scenario.awaitEvent(claim, "ProvisioningSucceeded")).contains(StandInDriver.idOf(name));
            assertThat(scenario.eventsAbout(claim, "ProvisioningFailed")).isEmpty();
        }
    }

    @Test
    void whatWasThereBeforeIsFoundAtTheStart() {
        ClaimScenario scenario = scenario("before");
        scenario.storageClass(Map.of());
        PersistentVolumeClaim claim = scenario.claim("data");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            scenario.awaitVolume(claim);
        }
    }

    @Test
    void aClaimMayWaitForItsFirstPod() {
        ClaimScenario scenario = scenario("first-pod");
        scenario.storageClass(Map.of(), made -> made.withVolumeBindingMode("WaitForFirstConsumer"));
        ClaimScenario other = scenario("first-pod-others");
        other.storageClass(Map.of());
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            other.awaitVolume(other.claim("data"));
            assertThat(driver.asked(ClaimScenario.volumeOf(claim))).isEmpty();
            plane.client()
                    .resource(claim)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"annotations\":{\"" + Marks.SELECTED_NODE + "\":\"n1\"}}}");
            scenario.awaitVolume(claim);
        }
    }

    @Test
    void aClassThatComesLaterIsNoticed() {
        ClaimScenario scenario = scenario("late-class");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            assertThat(scenario.awaitEvent(claim, "ProvisioningFailed")).contains(scenario.className());
            scenario.storageClass(Map.of());
            scenario.awaitVolume(claim);
        }
    }

    @Test
    void everyNamespaceHasItsOwnKeys() {
        ClaimScenario scenario = scenario("keys-one");
        scenario.namespace("keys-two");
        scenario.storageClass(withSecret(BY_CLAIM, "${pvc.namespace}"));
        scenario.secret("keys-one", "data-keys", Map.of("access_key_id", "one"));
        scenario.secret("keys-two", "data-keys", Map.of("access_key_id", "two"));
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim one = scenario.claim("keys-one", "data", made -> made);
            PersistentVolumeClaim two = scenario.claim("keys-two", "data", made -> made);
            PersistentVolume volume = scenario.awaitVolume(one);
            scenario.awaitVolume(two);
            assertThat(driver.asked(ClaimScenario.volumeOf(one)).getFirst().getSecretsMap())
                    .isEqualTo(Map.of("access_key_id", "one"));
            assertThat(driver.asked(ClaimScenario.volumeOf(two)).getFirst().getSecretsMap())
                    .isEqualTo(Map.of("access_key_id", "two"));
            assertThat(volume.getMetadata().getAnnotations())
                    .containsEntry(Marks.DELETION_SECRET_NAME, "data-keys")
                    .containsEntry(Marks.DELETION_SECRET_NAMESPACE, "keys-one");
            assertThat(volume.getSpec().getCsi().getNodePublishSecretRef()).satisfies(secret -> {
                assertThat(secret.getNamespace()).isEqualTo("keys-one");
                assertThat(secret.getName()).isEqualTo("mount-data-keys");
            });
        }
    }

    @Test
    void aSecretThatIsMissingIsNamedAndItsComingHeals() {
        ClaimScenario scenario = scenario("no-secret");
        scenario.storageClass(withSecret(BY_CLAIM, "${pvc.namespace}"));
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            assertThat(scenario.awaitEvent(claim, "ProvisioningFailed"))
                    .contains("there is no Secret no-secret/data-keys");
            assertThat(driver.asked(ClaimScenario.volumeOf(claim))).isEmpty();
            scenario.secret("no-secret", "data-keys", Map.of("access_key_id", "late"));
            scenario.awaitVolume(claim);
        }
    }

    @Test
    void aDriverThatIsAwayIsAskedAgain() {
        ClaimScenario scenario = scenario("away");
        scenario.storageClass(Map.of());
        Set<String> refused = ConcurrentHashMap.newKeySet();
        driver.creating = request -> refused.size() < 3 && refused.add(request.getName() + refused.size())
                ? new Fate.Refused(Status.UNAVAILABLE.withDescription("the store does not answer"))
                : new Fate.Done();
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            assertThat(scenario.awaitEvent(claim, "ProvisioningFailed")).contains("the store does not answer");
            scenario.awaitVolume(claim);
            assertThat(driver.asked(ClaimScenario.volumeOf(claim))).hasSize(4);
            assertThat(scenario.eventsAbout(claim, "ProvisioningFailed"))
                    .as("the same is not told again and again")
                    .hasSize(1);
        }
    }

    /** What the driver refuses for good is not there, so nobody asks for it when its claim has gone. */
    @Test
    void aRefusedClaimThatIsDeletedIsForgotten() {
        ClaimScenario scenario = scenario("refused");
        scenario.storageClass(Map.of("colour", "blue"));
        ClaimScenario other = scenario("refused-others");
        other.storageClass(Map.of());
        driver.creating = request -> request.containsParameters("colour")
                ? new Fate.Refused(Status.INVALID_ARGUMENT.withDescription("unknown: colour"))
                : new Fate.Done();
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            assertThat(scenario.awaitEvent(claim, "ProvisioningFailed"))
                    .contains("unknown: colour")
                    .contains("INVALID_ARGUMENT");
            scenario.delete(claim);
            Set<String> failures = ConcurrentHashMap.newKeySet();
            // The second claim fails for longer than the first would have had to wait.
            driver.creating = request -> request.containsParameters("colour") || failures.size() > 4
                    ? new Fate.Done()
                    : failures.add("failure " + failures.size())
                            ? new Fate.Refused(Status.UNAVAILABLE)
                            : new Fate.Done();
            PersistentVolumeClaim later = other.claim("data");
            other.awaitVolume(later);
            assertThat(driver.volumes())
                    .contains(ClaimScenario.volumeOf(later))
                    .doesNotContain(ClaimScenario.volumeOf(claim));
        }
    }

    @Test
    void anAnswerThatIsLostMakesNoSecondVolume() {
        ClaimScenario scenario = scenario("lost");
        scenario.storageClass(Map.of());
        AtomicBoolean isLost = new AtomicBoolean();
        driver.creating = _ -> isLost.getAndSet(true) ? new Fate.Done() : new Fate.AnswerLost();
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            assertThat(scenario.awaitVolume(claim).getSpec().getCsi().getVolumeHandle())
                    .isEqualTo(StandInDriver.idOf(ClaimScenario.volumeOf(claim)));
            assertThat(driver.asked(ClaimScenario.volumeOf(claim))).hasSize(2);
        }
    }

    @Test
    void aProvisionerThatDiesBeforeTheVolumeIsWrittenIsFollowedByOneThatWritesIt() {
        ClaimScenario scenario = scenario("died");
        scenario.storageClass(Map.of());
        AtomicBoolean isAlive = new AtomicBoolean(true);
        driver.creating = _ -> {
            isAlive.set(false);
            return new Fate.Done();
        };
        PersistentVolumeClaim claim = scenario.claim("data");
        String name = ClaimScenario.volumeOf(claim);
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket, isAlive::get)) {
            scenario.soon("it was made", () -> driver.volumes().contains(name));
        }
        assertThat(scenario.volume(claim)).isEmpty();
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            scenario.awaitVolume(claim);
            assertThat(driver.asked(name))
                    .hasSize(2)
                    .allMatch(request -> request.equals(driver.asked(name).getFirst()));
        }
    }

    @Test
    void aVolumeWhoseClaimHasGoneMeanwhileIsNotLeaked() throws Exception {
        ClaimScenario scenario = scenario("gone");
        scenario.storageClass(Map.of());
        CountDownLatch isDeleted = new CountDownLatch(1);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        driver.creating = _ -> {
            try {
                isDeleted.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return isFirst.getAndSet(false) ? new Fate.AnswerLost() : new Fate.Done();
        };
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            String name = ClaimScenario.volumeOf(claim);
            scenario.soon("it is asked for", () -> !driver.asked(name).isEmpty());
            scenario.delete(claim);
            isDeleted.countDown();
            scenario.awaitVolume(claim);
            scenario.becomes(name, "Released");
            scenario.soon("it is deleted", () -> !driver.volumes().contains(name));
            scenario.unprotect(name);
            scenario.soon("its object is gone", () -> scenario.volume(name).isEmpty());
        } finally {
            isDeleted.countDown();
        }
    }

    /** It starts beside the controller, and often later. */
    @Test
    void aDriverThatComesLaterIsAwaited() {
        ClaimScenario scenario = scenario("late-driver");
        scenario.storageClass(Map.of());
        Path late = directory.resolve("late.sock");
        try (RunningProvisioner _ = RunningProvisioner.start(plane, late)) {
            PersistentVolumeClaim claim = scenario.claim("data");
            try (StandInDriver started = new StandInDriver(late)) {
                scenario.awaitVolume(claim);
                assertThat(started.volumes()).contains(ClaimScenario.volumeOf(claim));
                assertThat(scenario.eventsAbout(claim, "ProvisioningFailed")).isEmpty();
            }
        }
    }

    @Test
    void aDriverThatIsStartedAnewIsFoundAgain() throws IOException {
        ClaimScenario scenario = scenario("new-driver");
        scenario.storageClass(Map.of());
        Path place = directory.resolve("new.sock");
        StandInDriver first = new StandInDriver(place);
        try (RunningProvisioner _ = RunningProvisioner.start(plane, place)) {
            scenario.awaitVolume(scenario.claim("before"));
            first.close();
            PersistentVolumeClaim claim = scenario.claim("after");
            assertThat(scenario.awaitEvent(claim, "ProvisioningFailed"))
                    .contains("the driver cannot be reached at " + place);
            Files.deleteIfExists(place);
            try (StandInDriver _ = new StandInDriver(place)) {
                scenario.awaitVolume(claim);
            }
        }
    }

    @Test
    void anotherDriverIsNotTakenForOurs() {
        Path place = directory.resolve("another.sock");
        try (StandInDriver _ = new StandInDriver(place, "another.csi");
                CsiController caller = new CsiController(new CsiAddress(place))) {
            assertThat(caller.fault())
                    .hasValueSatisfying(
                            fault -> assertThat(fault).contains("another.csi").contains("--csi-address"));
        }
    }

    @Test
    void claimsOfOthersAreLeftAlone() {
        ClaimScenario scenario = scenario("others");
        scenario.storageClass(Map.of());
        try (RunningProvisioner _ = RunningProvisioner.start(plane, socket)) {
            PersistentVolumeClaim another = scenario.claim(
                    "others",
                    "another",
                    made -> made.editMetadata()
                            .withAnnotations(Map.of(Marks.PROVISIONER, "another.csi"))
                            .endMetadata());
            PersistentVolumeClaim unmarked = scenario.claim(
                    "others",
                    "unmarked",
                    made -> made.editMetadata().withAnnotations(Map.of()).endMetadata());
            scenario.awaitVolume(scenario.claim("ours"));
            assertThat(driver.asked(ClaimScenario.volumeOf(another))).isEmpty();
            assertThat(driver.asked(ClaimScenario.volumeOf(unmarked))).isEmpty();
        }
    }
}
