package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mount options of a StorageClass reach the mounts of its volumes, whosever keys these are mounted with; those that nobody may set do not. */
class DynamicMountOptionsE2eTest extends AccountsStage {
    private static final String[] MODES = {
        "allow-delete", "allow-other", "uid=1001", "gid=2002", "file-mode=0640", "dir-mode=0750"
    };

    private static final List<String> FORBIDDEN = List.of(
            "--endpoint-url https://elsewhere.example",
            "--cache-xz some-bucket",
            "--incremental-upload",
            "--storage-class GLACIER",
            "--profile other",
            "-o noatime");

    @Test
    void ownersModesAndPrefixWithEveryCombinationOfKeys() {
        secret("keys", cluster.driver());
        Map<String, String> made = madeWith(namespace, "keys");
        Map<String, String> mounted = mountedWith(namespace, "keys");
        claim("plain", classOf("plain", Map.of(), MODES));
        claim("made", classOf("made", made, MODES));
        claim("mounted", classOf("mounted", mounted, MODES));
        claim("both", classOf("both", both(made, mounted), MODES));
        PersistentVolumeClaim prefixed =
                claim("prefixed", classOf("prefixed", both(made, mounted), "prefix team/a=b/"));

        Pod pod = runningWorkload("app", List.of("plain", "made", "mounted", "both", "prefixed"), spec -> spec);
        assertThat(shell(pod, """
                        for at in /data /data2 /data3 /data4; do
                            mkdir $at/folder && echo x >$at/folder/file && stat -c '%u %g %a' $at/folder $at/folder/file
                            rm -r $at/folder
                        done""").lines().distinct()).containsExactly("1001 2002 750", "1001 2002 640");

        PersistentVolume volume = boundVolume(prefixed);
        assertThat(witness.listObjectsV2(request -> request.bucket(bucketOf(volume)))
                        .contents())
                .isEmpty();
        shell(pod, "echo below the prefix >/data5/note");
        assertThat(stored(bucketOf(volume), "team/a=b/note")).isEqualTo("below the prefix\n");
        assertThat(shell(pod, "ls /data5")).isEqualTo("note");
    }

    @Test
    void optionsThatNobodyMaySetAreToldAndTheVolumeWorksWithoutThem() {
        List<String> claims = new ArrayList<>(List.of("all"));
        claim("all", classOf("all", Map.of(), FORBIDDEN.toArray(String[]::new)));
        for (String option : FORBIDDEN) {
            String name = "option" + claims.size();
            claim(name, classOf(name, Map.of(), "allow-delete", option));
            claims.add(name);
        }
        Pod pod = runningWorkload("app", claims, spec -> spec);
        assertThat(shell(pod, "for at in /data /data?; do echo $at >$at/note && cat $at/note; done")
                        .lines())
                .hasSameSizeAs(claims);
        awaitWords(
                pod,
                FORBIDDEN.stream()
                        .map(option -> "mount option " + option.split(" ", 2)[0] + " is ignored")
                        .toArray(String[]::new));
    }

    private String classOf(String name, Map<String, String> parameters, String... options) {
        return storageClass(
                namespace + "-" + name,
                storageClass -> storageClass.withParameters(parameters).withMountOptions(options));
    }

    private static Map<String, String> both(Map<String, String> one, Map<String, String> other) {
        Map<String, String> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }
}
