package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The mount options of a volume: what each does, which of them are ignored, and which are refused. */
class MountOptionsE2eTest extends ClusterStage {
    /** A volume with any of these could not be mounted, or would show it, if the driver obeyed. */
    private static final List<String> IGNORED = List.of(
            "endpoint-url http://127.0.0.1:1",
            "--profile=other",
            "storage-class DEEP_ARCHIVE",
            "cache-xz another-bucket",
            "incremental-upload",
            "-o allow_other",
            "ca-bundle /absent",
            "auto-unmount",
            "log-directory /absent",
            "-l /absent");

    /** A Mountpoint Pod for each takes its time: those that 2.x ignored, too, are tried alone. */
    private static final int ALONE = 6;

    @Test
    void aVolumeBelongsToTheUserAndGroupOfItsOptionsAndIsOpenToOthersIfTheySaySo() {
        String bucket = bucket("owned");
        String closed = namespace + "-closed";
        staticVolume(bucket, bucket, "uid=1001", "gid=1002", "allow-other", "allow-delete");
        staticVolume(closed, bucket, "uid=1001", "gid=1002");
        Pod owner = runningWorkload(
                "owner",
                List.of(bucket, closed),
                pod -> pod.withNewSecurityContext()
                        .withRunAsNonRoot(true)
                        .withRunAsUser(1001L)
                        .withRunAsGroup(1002L)
                        .endSecurityContext());
        shell(owner, "echo mine >/data/note && mkdir /data/folder && echo deep >/data/folder/note");
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(shell(owner, "stat -c '%a %u %g' /data/greeting /data/note"))
                    .as("owner and mode of files, made in the store and here")
                    .isEqualTo("644 1001 1002\n644 1001 1002");
            softly.assertThat(shell(owner, "stat -c '%a %u %g' /data /data/folder"))
                    .as("owner and mode of directories")
                    .isEqualTo("755 1001 1002\n755 1001 1002");
            softly.assertThat(stored(bucket, "folder/note"))
                    .as("what the owner wrote")
                    .isEqualTo("deep\n");
            softly.assertThat(shell(owner, "! ls /data2 2>&1"))
                    .as("without allow-other only root gets in")
                    .contains("Permission denied");
        });
        Pod other = runningWorkload(
                "other",
                List.of(bucket),
                pod -> pod.withNewSecurityContext().withRunAsUser(2000L).endSecurityContext());
        assertThat(shell(other, "cat /data/note")).isEqualTo("mine");
        assertThat(shell(other, "! touch /data/new 2>&1")).contains("Permission denied");
        shell(owner, "rm /data/note");
        assertThat(shell(other, "ls /data")).isEqualTo("folder\ngreeting");
    }

    @Test
    void whatThePolicyForbidsIsIgnoredWithAWarningAndTheVolumeWorks() {
        String bucket = bucket("ignored");
        List<String> claims = new ArrayList<>();
        for (String option : IGNORED.subList(0, ALONE)) {
            claims.add(namespace + "-" + claims.size());
            staticVolume(claims.getLast(), bucket, option);
        }
        claims.add(namespace + "-all");
        staticVolume(claims.getLast(), bucket, IGNORED.toArray(String[]::new));
        Pod pod = runningWorkload("app", claims, spec -> spec);
        shell(pod, "for volume in /data*; do echo written >$volume/from-${volume#/}; done");
        SoftAssertions.assertSoftly(softly -> {
            for (int index = 0; index < claims.size(); index++) {
                String options = index < ALONE ? IGNORED.get(index) : "all together";
                String key = "from-data" + (index == 0 ? "" : index + 1);
                softly.assertThat(stored(bucket, key)).as(options).isEqualTo("written\n");
                softly.assertThat(storageClass(bucket, key)).as(options).isEqualTo("STANDARD");
            }
        });
        for (String option : IGNORED) {
            String name = option.split("[ =]", 2)[0];
            awaitEvent(pod, "mount option " + (name.startsWith("-") ? name : "--" + name) + " is ignored");
        }
    }

    /** Stores leave the usual class out, or name it. */
    private String storageClass(String bucket, String key) {
        return String.valueOf(
                        witness.headObject(request -> request.bucket(bucket).key(key))
                                .storageClassAsString())
                .replace("null", "STANDARD");
    }

    @Test
    void aPrefixIsTheRootOfItsVolumeAndIsMadeByTheFirstFile() {
        String bucket = bucket("prefixed");
        String plain = namespace + "-plain";
        String odd = namespace + "-odd";
        staticVolume(bucket, bucket, "region " + cluster.region());
        staticVolume(plain, bucket, "prefix=team/data/", "allow-delete");
        staticVolume(odd, bucket, "prefix env=prod/a b/", "region=" + cluster.region());
        Pod pod = runningWorkload("app", List.of(bucket, plain, odd), spec -> spec);
        assertThat(shell(pod, "ls /data2 /data3"))
                .as("a prefix without objects")
                .isEqualTo("/data2:\n\n/data3:");
        assertThat(keys(bucket)).as("mounting makes nothing").containsExactly("greeting");

        shell(pod, "echo plain >/data2/note; mkdir /data3/folder; echo odd >/data3/folder/note");
        witness.putObject(
                request -> request.bucket(bucket).key("team/data/from-outside"), RequestBody.fromString("seen"));
        witness.putObject(request -> request.bucket(bucket).key("team/other"), RequestBody.fromString("unseen"));
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(keys(bucket))
                    .as("files are below the prefix, and nowhere else")
                    .containsExactlyInAnyOrder(
                            "greeting",
                            "team/data/note",
                            "team/data/from-outside",
                            "team/other",
                            "env=prod/a b/folder/note");
            softly.assertThat(shell(pod, "ls /data2 && cat /data2/from-outside"))
                    .as("objects that another client made, below the prefix only")
                    .isEqualTo("from-outside\nnote\nseen");
            softly.assertThat(shell(pod, "cat '/data/env=prod/a b/folder/note'"))
                    .as("the volume without a prefix")
                    .isEqualTo("odd");
        });
        shell(pod, "rm /data2/note");
        assertThat(keys(bucket)).doesNotContain("team/data/note");
    }

    @Test
    void anOptionThatLeadsOutOfItsPlaceOrIsNoneIsRefusedInWords() {
        String bucket = bucket("refused");
        String nonsense = namespace + "-nonsense";
        staticVolume(bucket, bucket, "prefix ../another/");
        staticVolume(nonsense, bucket, "uid");
        Pod out = workload("out", bucket);
        Pod empty = workload("empty", nonsense);
        awaitEvent(out, "\"../another/\" leads out of its directory");
        awaitEvent(empty, "mount option --uid");
    }

    private List<String> keys(String bucket) {
        return witness.listObjectsV2(request -> request.bucket(bucket)).contents().stream()
                .map(S3Object::key)
                .toList();
    }
}
