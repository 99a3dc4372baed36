package s3csi.testbed.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.testbed.csi.Refusals.refused;

import io.grpc.Status.Code;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.csi.v1.Volume;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.VersityServer;
import s3csi.s3.testing.server.VersityServer.Role;
import s3csi.testbed.csi.SecretDirectory;
import s3csi.testbed.s3.S3Clients;
import s3csi.volume.BucketNaming;
import s3csi.volume.VolumeName;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.Tag;

/** On a store with several accounts: each volume belongs to the account whose keys asked for it, and to no other. */
final class TenantTest extends ProvisioningStage {
    private final Credentials.Keys tenant = versity().createAccount("tenant", Role.USERPLUS);
    private final Credentials.Keys neighbour = versity().createAccount("neighbour", Role.USERPLUS);
    private final Credentials.Keys plainUser = versity().createAccount("plain-user", Role.USER);

    @Override
    S3Server startServer() {
        return VersityServer.start();
    }

    /** An account as good as any tenant's: nothing here works because the driver may do everything. */
    @Override
    Credentials.Keys driverKeys(S3Server store) {
        return ((VersityServer) store).createAccount("driver", Role.USERPLUS);
    }

    @Test
    void theKeysOfTheSecretOwnTheBucket() {
        Volume volume = createWith(tenant, "pvc-tenant");

        assertThat(volume.getVolumeContextMap()).containsEntry("authenticationSource", "secret");
        assertThat(bucketsOf(tenant)).contains(volume.getVolumeId());
        assertThat(bucketsOf(driverKeys)).doesNotContain(volume.getVolumeId());
        assertThat(tagsOf(volume.getVolumeId())).containsEntry("s3.csi.scality.com/volume-name", "pvc-tenant");
    }

    @Test
    void theDriversOwnKeysAreNotNeededForATenant() {
        driverSecret.rotate(new Credentials.Keys("gone", "gone"));

        Volume volume = createWith(tenant, "pvc-no-driver-keys");
        deleteWith(tenant, volume.getVolumeId());

        assertThat(buckets()).doesNotContain(volume.getVolumeId());
    }

    @Test
    void badKeysOfATenantAreNotReplacedByTheDrivers() {
        Credentials.Keys bad = new Credentials.Keys(tenant.accessKeyId(), "not-the-secret");
        List<String> before = buckets();

        refused(Code.UNAUTHENTICATED, () -> createWith(bad, "pvc-bad-keys"));

        assertThat(buckets()).isEqualTo(before);
    }

    @Test
    void badKeysOfATenantDeleteNothing() {
        String mine = createWith(tenant, "pvc-delete-tenant").getVolumeId();
        // The driver could delete this one with its own keys.
        String drivers = create(Requests.create("pvc-delete-driver")).getVolumeId();
        Credentials.Keys bad = new Credentials.Keys(tenant.accessKeyId(), "not-the-secret");

        refused(Code.UNAUTHENTICATED, () -> deleteWith(bad, mine));
        refused(Code.UNAUTHENTICATED, () -> deleteWith(bad, drivers));

        assertThat(buckets()).contains(mine, drivers);
    }

    @Test
    void anotherTenantDeletesNothing() {
        String bucket = createWith(tenant, "pvc-not-yours").getVolumeId();

        assertThat(refused(Code.PERMISSION_DENIED, () -> deleteWith(neighbour, bucket)))
                .contains("s3:DeleteBucket");
        assertThat(bucketsOf(tenant)).contains(bucket);
    }

    @Test
    void theDriverDeletesNothingOfATenantsWithItsOwnKeys() {
        String bucket = createWith(tenant, "pvc-not-the-drivers").getVolumeId();

        refused(Code.PERMISSION_DENIED, () -> delete(bucket));
        assertThat(bucketsOf(tenant)).contains(bucket);
    }

    @Test
    void aNameThatAnotherAccountTookIsNotOurs() {
        String taken = BucketNaming.bucketFor("", new VolumeName("pvc-taken")).text();
        try (S3Client stranger = S3Clients.of(server, neighbour)) {
            stranger.createBucket(r -> r.bucket(taken));
        }

        assertThat(refused(Code.ALREADY_EXISTS, () -> create(Requests.create("pvc-taken"))))
                .contains(taken, "another account", "bucketNamePrefix");
        assertThat(refused(Code.ALREADY_EXISTS, () -> createWith(tenant, "pvc-taken")))
                .contains(taken);

        assertThat(bucketsOf(neighbour)).contains(taken);
        assertThat(tagsOf(taken)).isEmpty();
    }

    @Test
    void aBucketOfAnotherAccountIsNotOursHoweverOpenItIs() {
        String name = "pvc-open";
        String taken = BucketNaming.bucketFor("", new VolumeName(name)).text();
        Tag copied = Tag.builder()
                .key("s3.csi.scality.com/owner")
                .value("s3.csi.scality.com")
                .build();
        try (S3Client stranger = S3Clients.of(server, neighbour);
                S3Client drivers = S3Clients.of(server, driverKeys)) {
            stranger.createBucket(r -> r.bucket(taken));
            stranger.putBucketPolicy(r -> r.bucket(taken).policy(everythingAllowedIn(taken)));
            assertThat(drivers.listObjectsV2(r -> r.bucket(taken)).contents())
                    .as("readable and empty")
                    .isEmpty();

            assertThat(refused(Code.ALREADY_EXISTS, () -> create(Requests.create(name))))
                    .contains(taken, "another account");
            assertThat(tagsOf(taken)).as("tags of the stranger's bucket").isEmpty();

            stranger.putBucketTagging(r -> r.bucket(taken).tagging(t -> t.tagSet(copied)));
            assertThat(drivers.getBucketTagging(r -> r.bucket(taken)).tagSet()).containsExactly(copied);

            refused(Code.ALREADY_EXISTS, () -> create(Requests.create(name)));
            refused(Code.ALREADY_EXISTS, () -> createWith(tenant, name));
            assertThat(tagsOf(taken)).containsOnly(Map.entry(copied.key(), copied.value()));
        }
        assertThat(bucketsOf(neighbour)).contains(taken);
    }

    private static String everythingAllowedIn(String bucket) {
        return """
                {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:*",
                "Resource": ["arn:aws:s3:::%1$s", "arn:aws:s3:::%1$s/*"]}]}""".formatted(bucket);
    }

    @Test
    void theSameNameForTwoTenantsIsRefusedToTheSecond() {
        Volume first = createWith(tenant, "pvc-two-tenants");

        refused(Code.ALREADY_EXISTS, () -> createWith(neighbour, "pvc-two-tenants"));
        assertThat(createWith(tenant, "pvc-two-tenants")).isEqualTo(first);
    }

    @Test
    void anAccountThatMayNotMakeBucketsIsToldWhatItNeeds() {
        List<String> before = buckets();

        assertThat(refused(Code.PERMISSION_DENIED, () -> createWith(plainUser, "pvc-denied")))
                .contains("s3:CreateBucket");
        assertThat(buckets()).isEqualTo(before);
    }

    @Test
    void theRegionOfTheSecretIsOnlyAHint() {
        var request = Requests.create("pvc-secret-region")
                .putAllSecrets(SecretDirectory.content(tenant))
                .putSecrets("region", "elsewhere-1");

        assertThat(create(request).getVolumeId()).isIn(bucketsOf(tenant));
    }

    @Test
    void aLocationTheStoreDoesNotHaveIsInvalid() {
        List<String> before = buckets();
        var request = Requests.create("pvc-location").putParameters("region", "elsewhere-1");

        assertThat(refused(Code.INVALID_ARGUMENT, () -> create(request))).contains("region");
        assertThat(buckets()).isEqualTo(before);
    }

    private VersityServer versity() {
        return (VersityServer) server;
    }

    private Volume createWith(Credentials.Keys keys, String name) {
        return create(Requests.create(name).putAllSecrets(SecretDirectory.content(keys)));
    }

    private void deleteWith(Credentials.Keys keys, String id) {
        controller()
                .deleteVolume(Requests.delete(id)
                        .putAllSecrets(SecretDirectory.content(keys))
                        .build());
    }

    private List<String> bucketsOf(Credentials.Keys keys) {
        try (S3Client client = S3Clients.of(server, keys)) {
            return client.listBuckets().buckets().stream().map(Bucket::name).toList();
        }
    }
}
