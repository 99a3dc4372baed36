package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Modes and owners of files are those of the volume's options, whatever programs do. */
class FilePermissionsE2eTest extends ClusterStage {
    /** Names that shells, URLs and listings could stumble over; many stores have no room for 255 bytes. */
    private static final List<String> NAMES = List.of(
            "grüße-日本-🙂.txt",
            "two words",
            "-dash",
            "a+b=c&d%20e",
            "q?u*o[t]e'd\"$(x);#",
            "back\\slash",
            "n".repeat(200));

    @Test
    void eachVolumeHasTheModeOfItsOptions() {
        String bucket = bucket("modes");
        String secret = namespace + "-secret";
        String open = namespace + "-open";
        staticVolume(bucket);
        staticVolume(secret, bucket, "file-mode=0600");
        staticVolume(open, bucket, "file-mode=0666");
        Pod pod = runningWorkload("app", List.of(bucket, secret, open), spec -> spec);
        for (String directory : List.of("/data", "/data2", "/data3")) {
            shell(pod, """
                    cd %s && umask 077 && echo text >%s && mkdir -p sub/deep && echo text >sub/deep/%2$s && cp greeting copy%2$s
                    """.formatted(directory, directory.substring(1)));
        }
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(modes(pod, "/data", "data"))
                    .as("by default, with a umask of 077: made in the store, made here, copied, in a sub-directory")
                    .isEqualTo("644 644 644 644");
            softly.assertThat(modes(pod, "/data2", "data2")).as("0600").isEqualTo("600 600 600 600");
            softly.assertThat(modes(pod, "/data3", "data3")).as("0666").isEqualTo("666 666 666 666");
            softly.assertThat(shell(pod, "stat -c %a /data/data2"))
                    .as("the file of another volume, seen through this one")
                    .isEqualTo("644");
        });
    }

    private String modes(Pod pod, String directory, String name) {
        return shell(pod, "cd %s && echo $(stat -c %%a greeting %s copy%2$s sub/deep/%2$s)".formatted(directory, name));
    }

    @Test
    void nothingThatProgramsTryChangesAStoredFile() {
        String bucket = bucket("tried");
        staticVolume(bucket);
        Pod pod = runningWorkload("app", bucket);
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(after(pod, "chmod 600 greeting")).as("chmod").isEqualTo("644 1000 1000");
            softly.assertThat(after(pod, "chown 1001:1002 greeting"))
                    .as("chown")
                    .isEqualTo("644 1000 1000");
            softly.assertThat(shell(pod, "cd /data && ! ln -s greeting link 2>&1; ls"))
                    .as("a symbolic link")
                    .contains("Operation not permitted")
                    .endsWith("greeting");
            softly.assertThat(shell(pod, "cd /data && ! truncate -s 0 greeting 2>&1"))
                    .as("truncating")
                    .contains("Operation not permitted");
            softly.assertThat(shell(pod, "cd /data && ! echo more >>greeting"))
                    .as("appending")
                    .isEmpty();
            softly.assertThat(shell(pod, "cat /data/greeting"))
                    .as("content afterwards")
                    .isEqualTo(bucket);
            softly.assertThat(shell(pod, "cd /data && mv greeting moved && ls && cat moved && stat -c %a moved"))
                    .as("mv copies")
                    .isEqualTo("moved\n" + bucket + "644");
        });
        assertThat(stored(bucket, "moved")).isEqualTo(bucket);
        Path file = seenByTheNode(pod, bucket).resolve("moved");
        assertThat(file).hasContent(bucket);
        assertThatThrownBy(() -> Files.setAttribute(file, "user:note", new byte[] {'x'}))
                .as("an extended attribute")
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Operation not supported");
    }

    private String after(Pod pod, String command) {
        return shell(pod, "cd /data && { %s 2>&1 || true; } && stat -c '%%a %%u %%g' greeting".formatted(command));
    }

    @Test
    void anyNameOfAFileIsKept() {
        String bucket = bucket("names");
        staticVolume(bucket);
        Pod pod = runningWorkload("app", bucket);
        SoftAssertions.assertSoftly(softly -> {
            for (String name : NAMES) {
                cluster.run(namespace, "app", "sh", "-c", "echo \"$1\" >\"/data/$1\"", "sh", name);
                softly.assertThat(stored(bucket, name)).as(name).isEqualTo(name + "\n");
                softly.assertThat(cluster.run(namespace, "app", "stat", "-c", "%a", "/data/" + name))
                        .as("mode of %s", name)
                        .isEqualTo("644");
            }
            softly.assertThat(shell(pod, "cd /data && printf '%s\\n' *").lines())
                    .containsAll(NAMES);
            softly.assertThat(shell(pod, "mkdir /data/%1$s && stat -c %%a /data/%1$s".formatted("d".repeat(255))))
                    .as("a directory with a name of 255 bytes")
                    .isEqualTo("755");
            softly.assertThat(shell(pod, "! touch /data/" + "n".repeat(256) + " 2>&1"))
                    .as("256 bytes")
                    .contains("File name too long");
        });
    }

    @Test
    void anEditedVolumeServesNewPodsWithItsNewModeAndOthersAsBefore() {
        String bucket = bucket("edited");
        staticVolume(bucket, bucket, "allow-other");
        Pod before = runningWorkload("before", bucket);
        client.persistentVolumes().withName(bucket).edit(volume -> {
            volume.getSpec().setMountOptions(List.of("allow-other", "file-mode=0444"));
            return volume;
        });
        Pod after = runningWorkload("after", bucket);
        assertThat(shell(before, "stat -c %a /data/greeting")).as("before").isEqualTo("644");
        assertThat(shell(after, "stat -c %a /data/greeting")).as("after").isEqualTo("444");
        assertThat(cluster.mountpointPods(bucket)).hasSize(2);
        finish(before);
        Pod again = runningWorkload("before", bucket);
        assertThat(shell(again, "stat -c %a /data/greeting"))
                .as("mounted again")
                .isEqualTo("444");
        await(
                () -> "the first Mountpoint Pod is left",
                () -> cluster.mountpointPods(bucket).size() == 1);
    }

    /** The kernel decides by mode, owner and group; what access(2) says is what happens. */
    @Test
    void theGroupOfAPodHasTheRightsThatItsVolumeGivesToTheGroup() {
        String bucket = bucket("group");
        staticVolume(bucket, bucket, "gid=2000", "allow-other", "file-mode=0640", "dir-mode=0770", "allow-delete");
        Pod member = runningWorkload(
                "member",
                List.of(bucket),
                spec -> spec.withNewSecurityContext()
                        .withRunAsUser(1001L)
                        .withFsGroup(2000L)
                        .endSecurityContext());
        Pod stranger = runningWorkload(
                "stranger",
                List.of(bucket),
                spec -> spec.withNewSecurityContext()
                        .withRunAsUser(1001L)
                        .withRunAsGroup(1001L)
                        .endSecurityContext());
        shell(member, "mkdir -p /data/sub/deep && echo text >/data/sub/deep/note");
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(shell(member, "stat -c '%a %g' /data/greeting /data/sub/deep/note"))
                    .as("mode and group, also in sub-directories")
                    .isEqualTo("640 2000\n640 2000");
            softly.assertThat(shell(member, accessOf("/data/greeting")))
                    .as("0640 of the group")
                    .isEqualTo("r");
            softly.assertThat(shell(member, "cat /data/greeting")).as("reading").isEqualTo(bucket);
            softly.assertThat(shell(member, accessOf("/data/sub")))
                    .as("0770 of the group")
                    .isEqualTo("rwx");
            softly.assertThat(shell(stranger, accessOf("/data/greeting")))
                    .as("of others")
                    .isEmpty();
            softly.assertThat(shell(stranger, "! cat /data/greeting 2>&1"))
                    .as("reading of others")
                    .contains("Permission denied");
        });
    }

    /** What access(2) says. */
    static String accessOf(String path) {
        return "for right in r w x; do [ ! -$right %s ] || printf $right; done".formatted(path);
    }

    /** The volume of a pod, for calls that busybox has no command for. */
    private Path seenByTheNode(Pod pod, String volume) {
        String node = cluster.kubeconfig().normalize().resolveSibling("node1").toString();
        // Those that brought it about have more arguments, and the machine's own mounts.
        ProcessHandle first = ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .filter(words -> words.length == 2 && words[0].endsWith("hold.sh") && words[1].equals(node))
                        .isPresent())
                .findFirst()
                .orElseThrow();
        return Path.of("/proc/%d/root/var/lib/kubelet/pods/%s/volumes/kubernetes.io~csi/%s/mount"
                .formatted(first.pid(), pod.getMetadata().getUid(), volume));
    }
}
