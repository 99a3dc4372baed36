package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;

/** Modes and owners of directories are those of the volume's options, whatever programs do. */
class DirectoryPermissionsE2eTest extends ClusterStage {
    @Test
    void eachVolumeHasTheModeOfItsOptions() {
        String bucket = bucketWithDirectory("modes");
        String closed = bucketWithDirectory("closed");
        staticVolume(bucket);
        staticVolume(closed, closed, "dir-mode=0700", "attribute-changes refuse");
        Pod pod = runningWorkload("app", List.of(bucket, closed), spec -> spec);
        for (String directory : List.of("/data", "/data2")) {
            shell(pod, """
                    cd %s && umask 077 && mkdir -p made/deep && mkdir -m 711 asked && echo text >made/deep/note &&
                    cp -r made copied && mkdir copied/again
                    """.formatted(directory));
        }
        SoftAssertions.assertSoftly(softly -> {
            String all = "echo $(stat -c %a . there made made/deep asked copied copied/deep copied/again)";
            softly.assertThat(shell(pod, "cd /data && " + all))
                    .as("by default, with a umask of 077: the root, made in the store, made here, mkdir -m, copied")
                    .isEqualTo("755 755 755 755 755 755 755 755");
            softly.assertThat(shell(pod, "cd /data2 && " + all))
                    .as("0700")
                    .isEqualTo("700 700 700 700 700 700 700 700");
            softly.assertThat(shell(pod, "cat /data/copied/deep/note"))
                    .as("what is in a copied directory")
                    .isEqualTo("text");
            softly.assertThat(after(pod, "chmod 777 there")).as("chmod").isEqualTo("755 1000 1000");
            softly.assertThat(after(pod, "chown 1001:1002 there")).as("chown").isEqualTo("755 1000 1000");
            softly.assertThat(after(pod, "chown -R 1001 ."))
                    .as("chown of the root and all below")
                    .isEqualTo("755 1000 1000");
            softly.assertThat(shell(pod, "cd /data2 && ! chown 1001 there 2>&1"))
                    .as("chown where changes are refused")
                    .contains("Operation not permitted");
            softly.assertThat(shell(pod, "cd /data2 && ! chmod 777 there 2>&1"))
                    .as("chmod where changes are refused")
                    .contains("Operation not permitted");
        });
    }

    private String bucketWithDirectory(String name) {
        String bucket = bucket(name);
        witness.putObject(request -> request.bucket(bucket).key("there/note"), RequestBody.fromString("note\n"));
        return bucket;
    }

    /** A program that insists goes on. */
    private String after(Pod pod, String command) {
        return shell(pod, "cd /data && %s && stat -c '%%a %%u %%g' there".formatted(command));
    }

    @Test
    void directoriesAreMovedByCopyingAndNoPathLeadsOutOfTheVolume() {
        String bucket = bucketWithDirectory("paths");
        staticVolume(bucket);
        Pod pod = runningWorkload("app", bucket);
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(shell(pod, "cd /data && mv there moved && ls && stat -c %a moved && cat moved/note"))
                    .as("mv of a directory")
                    .isEqualTo("greeting\nmoved\n755\nnote");
            softly.assertThat(shell(pod, "cd /data/moved && cat ../greeting ../../data/./moved/../greeting"))
                    .as("dots within the volume")
                    .isEqualTo(bucket + bucket);
            softly.assertThat(shell(pod, "cd /data && echo up >moved/../up && mkdir moved/../../data/side && ls"))
                    .as("dots in what is made")
                    .isEqualTo("greeting\nmoved\nside\nup");
            softly.assertThat(shell(pod, "! cat /data/../greeting 2>&1"))
                    .as("above the volume is the container")
                    .contains("No such file");
            softly.assertThat(shell(pod, "! mkdir /data/.. 2>&1"))
                    .as("a directory of that name")
                    .contains("File exists");
            softly.assertThat(shell(pod, "! rmdir /data 2>&1"))
                    .as("the root of the volume")
                    .isNotEmpty();
        });
        assertThat(stored(bucket, "up")).isEqualTo("up\n");
        assertThat(stored(bucket, "moved/note")).isEqualTo("note\n");
    }

    @Test
    void anEditedVolumeServesNewPodsWithItsNewModeAndOthersAsBefore() {
        String bucket = bucketWithDirectory("edited");
        staticVolume(bucket, bucket, "allow-other");
        Pod before = runningWorkload("before", bucket);
        client.persistentVolumes().withName(bucket).edit(volume -> {
            volume.getSpec().setMountOptions(List.of("allow-other", "dir-mode=0555", "uid=1001"));
            return volume;
        });
        Pod after = runningWorkload("after", bucket);
        List.of(before, after).forEach(pod -> shell(pod, "echo user:x:1001:1001::/:/bin/sh >>/etc/passwd"));
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(shell(before, "stat -c %a /data/there"))
                    .as("before")
                    .isEqualTo("755");
            softly.assertThat(shell(after, "stat -c %a /data/there"))
                    .as("after")
                    .isEqualTo("555");
            softly.assertThat(shell(after, "mkdir /data/new && stat -c %a /data/new"))
                    .as("what root makes there")
                    .isEqualTo("555");
            for (String directory : List.of("/data", "/data/there")) {
                softly.assertThat(shell(after, "su user -c '" + FilePermissionsE2eTest.accessOf(directory) + "'"))
                        .as("rights of the owner of %s with 0555", directory)
                        .isEqualTo("rx");
                softly.assertThat(shell(before, "su user -c '" + FilePermissionsE2eTest.accessOf(directory) + "'"))
                        .as("rights of others to %s with 0755", directory)
                        .isEqualTo("rx");
            }
            softly.assertThat(shell(after, "! su user -c 'touch /data/there/new' 2>&1"))
                    .as("what access said is what happens")
                    .contains("Permission denied");
            softly.assertThat(shell(after, "su user -c 'cat /data/there/note'"))
                    .as("reading")
                    .isEqualTo("note");
        });
    }
}
