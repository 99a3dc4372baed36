package s3csi.mounter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Processes;

/** A mount that goes away with its process, however that ends. */
final class AutoUnmountTest extends MountStage {
    private static final int NOBODY = 65534;

    private Program start(Map<String, String> more, String... options) throws Exception {
        Map<String, String> environment = environment();
        environment.putAll(more);
        List<String> arguments = new ArrayList<>(List.of(BUCKET, mountPoint.toString(), "--no-log", "--auto-unmount"));
        arguments.addAll(List.of(options));
        return started(Program.start(scratch, environment, Map.of(), arguments));
    }

    private Program startInForeground(String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--foreground");
        return mounted(start(Map.of(), all.toArray(String[]::new)));
    }

    /** The helper of our mount; its name on the command line is the mount point. */
    private boolean isWatched() {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").contains("-- " + mountPoint));
    }

    private void awaitGone() throws Exception {
        await("the mount is gone", () -> {
            try {
                return !isMounted();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        await("the helper has ended", () -> !isWatched());
    }

    private static void await(String what, BooleanSupplier condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void aKilledProcessLeavesNoMountBehind() throws Exception {
        Program program = startInForeground();
        Files.writeString(mountPoint.resolve("file"), "content");
        assertThat(isWatched()).isTrue();
        program.kill();
        awaitGone();
        assertThat(mountPoint).isEmptyDirectory();
    }

    @Test
    void aKilledProcessInTheBackgroundDoesNeither() throws Exception {
        Program program = start(Map.of());
        assertThat(program.exitCode()).as(program.printed()).isZero();
        assertThat(isMounted()).isTrue();
        Processes.kill(servingPid(), Processes.SIGKILL);
        awaitGone();
    }

    @Test
    void aMountInUseGoesToo() throws Exception {
        Program program = startInForeground();
        Path file = Files.writeString(mountPoint.resolve("used"), "content");
        try (InputStream open = Files.newInputStream(file)) {
            assertThat(open.read()).isEqualTo('c');
            program.kill();
            awaitGone();
        }
    }

    @Test
    void itIsAMountLikeAnyOther() throws Exception {
        startInForeground("--read-only");
        MountEntry entry = MountTable.current().topAt(mountPoint).orElseThrow();
        assertThat(entry.source()).isEqualTo("mountpoint-s3");
        assertThat(entry.type()).isEqualTo("fuse");
        assertThat(entry.options()).contains("nosuid", "nodev", "noatime", "ro");
        assertThat(entry.superOptions()).contains("default_permissions");
    }

    /** The kernel lets everybody in, for the helper's sake; we do not. */
    @Test
    void othersAreNotLetIn() throws Exception {
        Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwxr-xr-x"));
        startInForeground();
        assertThat(exitCodeAsNobody("ls", scratch.toString())).isZero();
        assertThat(exitCodeAsNobody("ls", mountPoint.toString())).isNotZero();
    }

    private static int exitCodeAsNobody(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("setpriv", "--reuid=" + NOBODY, "--clear-groups"));
        all.addAll(List.of(command));
        Process process = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /**
     * Runs a mount as nobody, to whom it leaves the right to read our jars only, and kills it. In a mount namespace of its own the
     * device is open to everybody, as it is on usual systems, and the helper may let others in.
     */
    private static final String AS_NOBODY = """
            set -eu
            mkdir "$SCRATCH/dev"
            mount -t tmpfs -o mode=755 none "$SCRATCH/dev"
            mknod "$SCRATCH/dev/fuse" c 10 229
            chmod 666 "$SCRATCH/dev/fuse"
            mount --bind "$SCRATCH/dev/fuse" /dev/fuse
            echo "$FUSE_CONF" > "$SCRATCH/fuse.conf"
            mount --bind "$SCRATCH/fuse.conf" /etc/fuse.conf
            setpriv --reuid=65534 --regid=65534 --clear-groups \
                --inh-caps=+dac_read_search --ambient-caps=+dac_read_search "$@" &
            trap "kill -KILL $! || true" EXIT
            until grep -q " $MOUNT_POINT " /proc/self/mounts; do
                readlink -q "/proc/$!/exe" > /dev/null || wait $!
                sleep 0.1
            done
            setpriv --reuid=65534 --regid=65534 --clear-groups \
                sh -c 'echo content > "$MOUNT_POINT/by-nobody"; stat -c "%U %s" "$MOUNT_POINT/by-nobody"'
            kill -KILL $!
            timeout 20 sh -c 'while grep -q " $MOUNT_POINT " /proc/self/mounts; do sleep 0.1; done'
            echo 'nothing is mounted'
            """;

    private Program startAsNobody(String fuseConf) throws Exception {
        Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setAttribute(mountPoint, "unix:uid", NOBODY);
        Map<String, String> environment = new HashMap<>(Program.keysOf(server));
        environment.put("SCRATCH", scratch.toString());
        environment.put("MOUNT_POINT", mountPoint.toString());
        environment.put("FUSE_CONF", fuseConf);
        List<String> starter = List.of("/usr/bin/unshare", "--mount", "sh", "-c", AS_NOBODY, "sh");
        List<String> arguments = List.of(BUCKET, mountPoint.toString(), "--no-log", "--auto-unmount", "--foreground");
        return started(Program.startBy(starter, scratch, environment, arguments));
    }

    @Test
    void whoMayNotMountCanByTheHelper() throws Exception {
        Program program = startAsNobody("user_allow_other");
        assertThat(program.exitCode()).as(program.printed()).isZero();
        assertThat(program.printed()).contains("nobody 8\n", "nothing is mounted");
    }

    @Test
    void whatTheHelperRefusesIsToldInItsWords() throws Exception {
        Program program = startAsNobody("");
        assertThat(program.exitCode()).as(program.printed()).isEqualTo(1);
        assertThat(program.printed())
                .contains("cannot mount at " + mountPoint + " with ", "'user_allow_other' is set in /etc/fuse.conf");
    }

    @Test
    void aSignalUnmountsAndEndsWithZero() throws Exception {
        Program program = startInForeground();
        program.process().signal(Processes.SIGTERM);
        assertThat(program.exitCode()).isZero();
        awaitGone();
    }

    @Test
    void unmountingEndsTheProcessAndTheHelper() throws Exception {
        Program program = startInForeground();
        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        assertThat(program.exitCode()).isZero();
        awaitGone();
    }

    @Test
    void withoutTheHelperItIsRefusedWithTheNameOfItsPackage() throws Exception {
        Program program = start(Map.of("PATH", scratch.toString()), "--foreground");
        assertThat(program.exitCode()).isEqualTo(1);
        assertThat(program.printed()).contains("fusermount3", "install the package fuse3");
        assertThat(isMounted()).isFalse();
    }
}
