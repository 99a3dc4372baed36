package s3csi.driver.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.csi.v1.CapacityRange;
import s3csi.csi.v1.ControllerGetCapabilitiesRequest;
import s3csi.csi.v1.ControllerServiceCapability.RPC;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.CreateVolumeResponse;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.DeleteVolumeResponse;
import s3csi.csi.v1.ValidateVolumeCapabilitiesRequest;
import s3csi.csi.v1.ValidateVolumeCapabilitiesResponse;
import s3csi.csi.v1.Volume;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.AccessMode.Mode;
import s3csi.csi.v1.VolumeCapability.BlockVolume;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.csi.v1.VolumeContentSource;
import s3csi.driver.bucket.Account;
import s3csi.driver.bucket.BucketMetrics;
import s3csi.driver.bucket.FakeBucketStore;
import s3csi.driver.credentials.DriverKeys;
import s3csi.driver.grpc.Call;
import s3csi.volume.BucketName;
import s3csi.volume.Cause;
import s3csi.volume.Region;
import s3csi.volume.StorageClassParameters.UnknownParameters;

class ControllerServiceTest {
    private static final String CANARY = "canary-secret-77";
    private static final VolumeCapability MOUNT = mount(Mode.MULTI_NODE_MULTI_WRITER);
    private static final Map<String, String> SECRETS =
            Map.of("access_key_id", "tenant", "secret_access_key", CANARY, "region", "secret-1");

    private final Map<Account, FakeBucketStore> stores = new HashMap<>();
    private final ControllerService controller = new ControllerService(
            new Accounts(
                    new DriverKeys(
                            Optional.empty(), Map.of("AWS_ACCESS_KEY_ID", "driver", "AWS_SECRET_ACCESS_KEY", CANARY)),
                    Region.DEFAULT),
            account -> stores.computeIfAbsent(account, _ -> new FakeBucketStore()),
            new BucketMetrics(new PrometheusRegistry()),
            UnknownParameters.REFUSE);

    private Call<CreateVolumeResponse> create(Consumer<CreateVolumeRequest.Builder> change) {
        CreateVolumeRequest.Builder request =
                CreateVolumeRequest.newBuilder().setName("pvc-1").addVolumeCapabilities(MOUNT);
        change.accept(request);
        return Call.of(controller::createVolume, request.build());
    }

    private Call<DeleteVolumeResponse> delete(String id, Map<String, String> secrets) {
        return Call.of(
                controller::deleteVolume,
                DeleteVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .putAllSecrets(secrets)
                        .build());
    }

    private Call<ValidateVolumeCapabilitiesResponse> validate(String id, VolumeCapability... capabilities) {
        var request = ValidateVolumeCapabilitiesRequest.newBuilder().setVolumeId(id);
        for (VolumeCapability capability : capabilities) {
            request.addVolumeCapabilities(capability);
        }
        return Call.of(controller::validateVolumeCapabilities, request.build());
    }

    private static VolumeCapability mount(Mode mode) {
        return VolumeCapability.newBuilder()
                .setMount(MountVolume.getDefaultInstance())
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .build();
    }

    private FakeBucketStore onlyStore() {
        assertThat(stores).hasSize(1);
        return stores.values().iterator().next();
    }

    @Test
    void claimsToMakeAndDeleteVolumes() {
        assertThat(Call.of(controller::controllerGetCapabilities, ControllerGetCapabilitiesRequest.getDefaultInstance())
                        .given()
                        .getCapabilitiesList())
                .extracting(capability -> capability.getRpc().getType())
                .containsExactly(RPC.Type.CREATE_DELETE_VOLUME);
    }

    @Test
    void aVolumeIsABucketWithItsAttributes() {
        Volume volume = create(_ -> {}).given().getVolume();
        assertThat(volume.getVolumeId()).startsWith("csi-s3-");
        assertThat(volume.getCapacityBytes()).isEqualTo(1L << 30);
        assertThat(volume.getVolumeContextMap())
                .isEqualTo(Map.of(
                        "dynamicProvisioning", "true",
                        "bucketName", volume.getVolumeId(),
                        "authenticationSource", "driver"));
        assertThat(onlyStore().buckets).containsOnlyKeys(new BucketName(volume.getVolumeId()));
    }

    @Test
    void theSameNameIsTheSameVolume() {
        assertThat(create(_ -> {}).given()).isEqualTo(create(_ -> {}).given());
        assertThat(create(r -> r.setName("pvc-2")).given())
                .isNotEqualTo(create(_ -> {}).given());
    }

    @Test
    void secretsDecideInWhoseName() {
        Volume volume = create(r -> r.putAllSecrets(SECRETS)).given().getVolume();
        assertThat(volume.getVolumeContextMap()).containsEntry("authenticationSource", "secret");
        Account account = stores.keySet().iterator().next();
        assertThat(account.credentials().accessKeyId()).isEqualTo("tenant");
        assertThat(account.region()).isEqualTo(new Region("secret-1"));
    }

    @Test
    void prefixAndRegionOfTheStorageClassCount() {
        Volume volume = create(r -> r.putAllSecrets(SECRETS)
                        .putParameters("bucketNamePrefix", "team-a-")
                        .putParameters("region", "class-1"))
                .given()
                .getVolume();
        assertThat(volume.getVolumeId()).startsWith("team-a-csi-s3-");
        assertThat(volume.getVolumeContextMap()).containsEntry("region", "class-1");
        assertThat(stores.keySet()).extracting(Account::region).containsExactly(new Region("class-1"));
        assertThat(delete(volume.getVolumeId(), SECRETS).given()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"UNKNOWN", "UNRECOGNIZED"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyModeOfAMountIsAccepted(Mode mode) {
        assertThat(create(r -> r.setVolumeCapabilities(0, mount(mode))).given()).isNotNull();
    }

    @Test
    void everyMissingOrSenselessFieldOfCreateIsNamed() {
        assertRefused(r -> r.clearName(), "volume name is required");
        assertRefused(r -> r.setName("x".repeat(129)), "more than 128 bytes");
        assertRefused(r -> r.setName("a\nb"), "control characters");
        assertRefused(r -> r.clearVolumeCapabilities(), "volume capabilities are required");
        assertRefused(r -> r.setVolumeCapabilities(0, mount(Mode.UNKNOWN)), "access mode is required");
        assertRefused(
                r -> r.setVolumeCapabilities(0, VolumeCapability.newBuilder().setAccessMode(MOUNT.getAccessMode())),
                "access type is required");
        assertRefused(
                r -> r.addVolumeCapabilities(MOUNT.toBuilder().setBlock(BlockVolume.getDefaultInstance())),
                "block device");
        assertRefused(
                r -> r.setVolumeContentSource(VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId("v"))),
                "neither clones nor restores");
        assertRefused(r -> r.putModifiableParameters("a", "b"), "this driver has none");
        assertRefused(r -> r.setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(-1)), "negative");
        assertRefused(
                r -> r.setCapacityRange(
                        CapacityRange.newBuilder().setRequiredBytes(2).setLimitBytes(1)),
                "more than limit_bytes");
        assertRefused(r -> r.putParameters("colour", "red"), "\"colour\"");
        assertRefused(r -> r.putParameters("bucketNamePrefix", "../"), "cannot begin a bucket name");
        assertRefused(r -> r.putParameters("bucketNamePrefix", "x".repeat(65_536)), "more than 20 characters");
        assertRefused(r -> r.putParameters("region", "a,b"), "is not the name of a region");
        assertRefused(r -> r.putParameters("csi.storage.k8s.io/provisioner-secret-name", "s"), "namespace is missing");
        assertThat(stores).as("nothing was asked of a store").isEmpty();
    }

    @Test
    void badSecretsAreNamedByKeyAndNeverShown() {
        assertRefused(r -> r.putSecrets("access_key_id", CANARY), "secret_access_key");
        assertRefused(
                r -> r.putSecrets("access_key_id", "a").putSecrets("secret_access_key", CANARY + "\n" + CANARY),
                "secret_access_key");
        assertRefused(r -> r.putAllSecrets(SECRETS).putSecrets("region", CANARY + "/+="), "Secret: region");
        assertThat(stores).as("nothing was asked of a store").isEmpty();
    }

    private void assertRefused(Consumer<CreateVolumeRequest.Builder> change, String words) {
        assertThat(create(change).refused(Status.Code.INVALID_ARGUMENT))
                .contains(words)
                .doesNotContain(CANARY)
                .endsWith(".");
    }

    @Test
    void withoutAnyKeysNothingIsSigned() {
        ControllerService bare = new ControllerService(
                new Accounts(new DriverKeys(Optional.empty(), Map.of()), Region.DEFAULT),
                _ -> new FakeBucketStore(),
                new BucketMetrics(new PrometheusRegistry()),
                UnknownParameters.REFUSE);
        CreateVolumeRequest request = CreateVolumeRequest.newBuilder()
                .setName("pvc-1")
                .addVolumeCapabilities(MOUNT)
                .build();
        assertThat(Call.of(bare::createVolume, request).refused(Status.Code.UNAUTHENTICATED))
                .contains("no keys of its own");
    }

    @Test
    void aStrangersBucketAlreadyExists() {
        String id = create(_ -> {}).given().getVolume().getVolumeId();
        onlyStore().buckets.clear();
        onlyStore().ofAnother.add(new BucketName(id));
        assertThat(create(_ -> {}).refused(Status.Code.ALREADY_EXISTS)).contains("another account owns it");
    }

    @Test
    void aStoreThatIsAwayIsUnavailable() {
        String id = create(_ -> {}).given().getVolume().getVolumeId();
        onlyStore().failure = new Cause.StoreBusy("make bucket", "503");
        assertThat(create(_ -> {}).refused(Status.Code.UNAVAILABLE)).contains("503");
        assertThat(delete(id, Map.of()).refused(Status.Code.UNAVAILABLE)).contains("503");
        assertThat(validate(id, MOUNT).refused(Status.Code.UNAVAILABLE)).contains("503");
    }

    @Test
    void aVolumeIsDeletedOnceAndForAll() {
        String id = create(_ -> {}).given().getVolume().getVolumeId();
        assertThat(delete(id, Map.of()).given()).isNotNull();
        assertThat(onlyStore().buckets).isEmpty();
        assertThat(delete(id, Map.of()).given()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "my-data",
                "reallyfakevolumeid",
                "../../etc",
                "csi-s3-1",
                "team/volume",
                "a;rm -rf /",
                "-o allow_other"
            })
    void aVolumeOfAnotherIsNeverTouched(String id) {
        assertThat(delete(id, Map.of()).given()).isNotNull();
        assertThat(stores).as("nothing was asked of a store").isEmpty();
    }

    @Test
    void everyMissingOrSenselessFieldOfDeleteIsNamed() {
        assertThat(delete("", Map.of()).refused(Status.Code.INVALID_ARGUMENT)).contains("volume ID is required");
        assertThat(delete("x".repeat(1025), Map.of()).refused(Status.Code.INVALID_ARGUMENT))
                .contains("more than 1024 bytes");
        assertThat(delete("a\u0000b", Map.of()).refused(Status.Code.INVALID_ARGUMENT))
                .contains("control characters");
        String id = create(_ -> {}).given().getVolume().getVolumeId();
        assertThat(delete(id, Map.of("access_key_id", CANARY)).refused(Status.Code.INVALID_ARGUMENT))
                .contains("secret_access_key")
                .doesNotContain(CANARY);
        assertThat(onlyStore().buckets).hasSize(1);
    }

    @Test
    void capabilitiesAreReallyChecked() {
        String id = create(_ -> {}).given().getVolume().getVolumeId();
        VolumeCapability reader = mount(Mode.MULTI_NODE_READER_ONLY);
        assertThat(validate(id, MOUNT, reader).given().getConfirmed().getVolumeCapabilitiesList())
                .containsExactly(MOUNT, reader);
        VolumeCapability block =
                MOUNT.toBuilder().setBlock(BlockVolume.getDefaultInstance()).build();
        ValidateVolumeCapabilitiesResponse refused = validate(id, MOUNT, block).given();
        assertThat(refused.hasConfirmed()).isFalse();
        assertThat(refused.getMessage()).contains("block device");
        assertThat(validate("", MOUNT).refused(Status.Code.INVALID_ARGUMENT)).contains("volume ID is required");
        assertThat(validate(id).refused(Status.Code.INVALID_ARGUMENT)).contains("capabilities are required");
        assertThat(validate(id, mount(Mode.UNKNOWN)).refused(Status.Code.INVALID_ARGUMENT))
                .contains("access mode");
        assertThat(validate("no-such-bucket", MOUNT).refused(Status.Code.NOT_FOUND))
                .contains("no such bucket");
        assertThat(validate("../no bucket", MOUNT).refused(Status.Code.NOT_FOUND))
                .contains("no such bucket");
    }
}
