package s3csi.testbed.e2e;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.services.s3.S3Client;

/** A cluster whose store has two accounts, the driver's and a tenant's, and the Secrets and classes by which volumes choose between them. */
abstract class AccountsStage extends ClusterStage {
    /** Within this, Events say what is wrong, while other tests keep the machine busy. */
    private static final Duration SAID_WITHIN = Duration.ofMinutes(1);

    private static final Duration LONG_ENOUGH = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    final S3Client tenant = S3Clients.of(cluster, cluster.tenant());

    @AfterAll
    void closeTenant() {
        tenant.close();
    }

    /** Those that a test made beside its own go after it: Secrets in them may be needed for the end of its volumes. */
    @Override
    @AfterEach
    void removeNamespace() {
        List<String> further = client.namespaces().list().getItems().stream()
                .map(found -> found.getMetadata().getName())
                .filter(name -> name.startsWith(namespace + "-"))
                .toList();
        further.forEach(
                name -> client.persistentVolumeClaims().inNamespace(name).delete());
        super.removeNamespace();
        await(
                () -> "volumes of " + further + " are left",
                () -> client.persistentVolumes().list().getItems().stream()
                        .filter(volume -> volume.getSpec().getClaimRef() != null)
                        .noneMatch(volume ->
                                further.contains(volume.getSpec().getClaimRef().getNamespace())));
        further.forEach(name -> client.namespaces().withName(name).delete());
    }

    /** A namespace beside the test's own, whose name it begins with. */
    final String furtherNamespace(String name) {
        return namespaceNamed(namespace + "-" + name);
    }

    final String namespaceNamed(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    /** A Secret in the test's namespace. */
    final void secret(String name, Credentials.Keys keys) {
        secret(namespace, name, keys);
    }

    /** Made, or changed. */
    final void secret(String namespace, String name, Credentials.Keys keys) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withStringData(Map.of(
                                "access_key_id", keys.accessKeyId(), "secret_access_key", keys.secretAccessKey()))
                        .build())
                .serverSideApply();
    }

    /** Parameters of a class: with whose keys buckets are made and deleted. */
    static Map<String, String> madeWith(String namespace, String secret) {
        return parameters("provisioner", namespace, secret);
    }

    /** Parameters of a class: with whose keys buckets are mounted. */
    static Map<String, String> mountedWith(String namespace, String secret) {
        return parameters("node-publish", namespace, secret);
    }

    private static Map<String, String> parameters(String use, String namespace, String secret) {
        String key = "csi.storage.k8s.io/" + use + "-secret-";
        return Map.of(key + "name", secret, key + "namespace", namespace);
    }

    /** A class with the parameters of all. */
    @SafeVarargs
    final String classWith(String name, Map<String, String>... parameters) {
        Map<String, String> all = new HashMap<>();
        for (Map<String, String> some : parameters) {
            all.putAll(some);
        }
        return storageClass(namespace + "-" + name, storageClass -> storageClass.withParameters(all));
    }

    /** A claim of any namespace, with annotations. */
    final PersistentVolumeClaim claimIn(
            String namespace, String name, String storageClass, Map<String, String> annotations) {
        return client.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .withAnnotations(annotations)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteMany")
                        .withStorageClassName(storageClass)
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
    }

    static String bucketOf(PersistentVolume volume) {
        return attribute(volume, "bucketName");
    }

    static String attribute(PersistentVolume volume, String name) {
        return volume.getSpec().getCsi().getVolumeAttributes().getOrDefault(name, "");
    }

    /** The access key of the account that a bucket, and so everything in it, belongs to. */
    final String ownerOf(String bucket) {
        return witness.getBucketAcl(request -> request.bucket(bucket)).owner().id();
    }

    /** Lets both accounts do everything with a bucket and what is in it. */
    final void share(S3Client owner, String bucket) {
        // The gateway holds a policy against the bucket's owner, too.
        owner.putBucketPolicy(request -> request.bucket(bucket).policy("""
                {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": ["%s", "%s"]}, "Action": ["s3:*"],
                 "Resource": ["arn:aws:s3:::%s", "arn:aws:s3:::%3$s/*"]}]}
                """.formatted(
                        cluster.driver().accessKeyId(), cluster.tenant().accessKeyId(), bucket)));
    }

    /** Waits until the Events of an object have said all of this. */
    final void awaitWords(String object, String... words) {
        awaitWords(SAID_WITHIN, object, words);
    }

    final void awaitWords(Pod pod, String... words) {
        awaitWords(SAID_WITHIN, pod.getMetadata().getName(), words);
    }

    final void awaitWords(Duration within, String object, String... words) {
        Await.until(
                within,
                () -> "not said within %s: %s; %s".formatted(within, List.of(words), cluster.story(namespace, object)),
                () -> {
                    String story = cluster.story(namespace, object);
                    return Stream.of(words).allMatch(story::contains);
                });
    }

    /** For long enough to see that it is not just late. */
    final void remainsUnbound(PersistentVolumeClaim claim) {
        remains(
                claim.getMetadata().getName() + " was bound",
                () -> client.resource(claim).get().getSpec().getVolumeName() == null);
    }

    static void remains(String otherwise, BooleanSupplier condition) {
        long end = System.nanoTime() + LONG_ENOUGH.toNanos();
        while (System.nanoTime() - end < 0) {
            if (!condition.getAsBoolean()) {
                throw new AssertionError(otherwise);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    /** Deletes a claim and waits until its volume has gone, too. */
    final void deleteWithVolume(PersistentVolumeClaim claim) {
        PersistentVolume volume = boundVolume(claim);
        client.resource(claim).delete();
        await(
                () -> "the volume is not deleted: " + client.resource(volume).get(),
                () -> client.resource(volume).get() == null);
    }
}
