package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Private authorities: told apart from strangers, and replaced while volumes are mounted. */
@Isolated("the store shows other certificates for a while")
class TlsE2eTest extends AccountsStage {
    private static final String FIRST = "store-ca";
    private static final String NEXT = "next-ca";

    private final Terminal terminal = new Terminal(cluster);

    @AfterEach
    void putBack() {
        storeShowsCertificateOf(FIRST);
        trust(FIRST);
    }

    @Test
    void anAuthorityThatNobodyWasToldOfIsRefusedInWords() {
        String bucket = bucket("there");
        staticVolume(bucket);
        String storageClass = storageClass();
        storeShowsCertificateOf("strange-ca");
        Pod pod = workload("app", bucket);
        PersistentVolumeClaim claim = claim("dynamic", storageClass);
        awaitWords(pod, "is not trusted", "add its authority to the CA bundle");
        awaitWords("dynamic", "Cannot trust the store", "tls.caCertConfigMap");

        storeShowsCertificateOf(FIRST);
        awaitRunning(pod);
        assertThat(shell(pod, "cat /data/greeting")).isEqualTo(bucket);
        boundVolume(claim);
    }

    /** First both are trusted, then the store's certificate is replaced, then the old authority is not trusted any more. */
    @Test
    void anAuthorityIsReplacedUnderMountedVolumes() {
        String bucket = bucket("kept");
        staticVolume(bucket);
        Pod pod = runningWorkload("app", bucket);
        shell(pod, "echo before >/data/before");
        Pod serving = mountpointPod(bucket);
        Pod controller = client.pods()
                .inNamespace("kube-system")
                .withLabel("app", "s3-csi-controller")
                .list()
                .getItems()
                .getFirst();

        terminal.run("S3CSI_HOME=$PWD launcher/step.sh make_authority " + NEXT);
        trust(FIRST, NEXT);
        awaitBundle(serving, FIRST, NEXT);
        awaitBundle(controller, FIRST, NEXT);
        storeShowsCertificateOf(NEXT);
        trust(NEXT);
        awaitBundle(serving, NEXT);
        awaitBundle(controller, NEXT);

        assertThat(shell(pod, "echo after >/data/after && cat /data/before /data/after /data/greeting"))
                .isEqualTo("before\nafter\n" + bucket);
        assertThat(mountpointPod(bucket).getMetadata().getUid())
                .isEqualTo(serving.getMetadata().getUid());
        claim("dynamic", storageClass());
        assertThat(shell(
                        runningWorkload("second", "dynamic"),
                        "echo new >/data/note && cat /data/note && rm /data/note"))
                .isEqualTo("new");
    }

    private void storeShowsCertificateOf(String authority) {
        terminal.run("S3CSI_HOME=$PWD launcher/step.sh renew_store_certificate " + authority);
    }

    private void trust(String... authorities) {
        terminal.run("""
                bundle=$(mktemp)
                trap 'rm "$bundle"' EXIT
                cat %s >"$bundle"
                helm upgrade s3-csi chart --namespace kube-system --reuse-values --set-file tls.caCertData="$bundle" --wait
                """.formatted(
                        String.join(" ", Stream.of(authorities).map(this::file).toList())));
    }

    private String file(String authority) {
        return cluster.file("pki/" + authority + ".crt").toString();
    }

    /** Kubelet brings files up to date when it looks at a pod: at once if the pod was changed, else within a minute or two. */
    private void awaitBundle(Pod pod, String... authorities) {
        client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .edit(changed -> changed.edit()
                        .editMetadata()
                        .addToAnnotations("example.com/trusts", String.join("-", authorities))
                        .endMetadata()
                        .build());
        Path maps = cluster.file("%s/kubelet/pods/%s/volumes/kubernetes.io~configmap"
                .formatted(pod.getSpec().getNodeName(), pod.getMetadata().getUid()));
        String wanted =
                text(Stream.of(authorities).map(this::file).map(Path::of).toList());
        await(
                () -> "the bundle does not reach " + pod.getMetadata().getName(),
                () -> bundles(maps).contains(wanted));
    }

    private static List<String> bundles(Path maps) {
        try (Stream<Path> found = Files.list(maps)) {
            return found.map(map -> map.resolve("ca-bundle.crt"))
                    .filter(Files::exists)
                    .map(bundle -> text(List.of(bundle)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for the bundle in " + maps, e);
        }
    }

    private static String text(List<Path> files) {
        StringBuilder text = new StringBuilder();
        try {
            for (Path file : files) {
                text.append(Files.readString(file).strip()).append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + files, e);
        }
        return text.toString();
    }
}
