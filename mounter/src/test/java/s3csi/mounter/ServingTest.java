package s3csi.mounter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import s3csi.linux.Descriptor;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Processes;
import s3csi.s3.client.HttpObjectStore;
import s3csi.s3.client.HttpStoreOptions;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.server.MinioServer;

/** The program as users run it: real processes, a real kernel, a real S3 server. */
final class ServingTest extends MountStage {
    private Program start(String... options) throws Exception {
        return startAt(mountPoint.toString(), Map.of(), options);
    }

    private Program startAt(String place, Map<Integer, Descriptor> descriptors, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(BUCKET, place, "--no-log"));
        arguments.addAll(List.of(options));
        return start(descriptors, arguments);
    }

    private Program start(Map<Integer, Descriptor> descriptors, List<String> arguments) throws Exception {
        return started(Program.start(scratch, environment(), descriptors, arguments));
    }

    private Program startInForeground(String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--foreground");
        return mounted(start(all.toArray(String[]::new)));
    }

    private void awaitEndOf(long pid) throws Exception {
        long deadline = System.nanoTime() + Program.LONG.toNanos();
        while (ProcessHandle.of(pid).isPresent()) {
            assertThat(System.nanoTime()).as("process %d ended in time", pid).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static HttpObjectStore store() {
        return new HttpObjectStore(HttpStoreOptions.forBucket(BUCKET)
                .endpoint(server.endpoint())
                .region(MinioServer.REGION)
                .credentials(CredentialsSource.fixed(MinioServer.ROOT)));
    }

    @Test
    void inTheBackgroundTheCallerReturnsWhenTheMountIsThere() throws Exception {
        Program program = start("--allow-delete");
        assertThat(program.exitCode()).isZero();
        assertThat(program.printed()).isEqualTo("bucket bucket is mounted at " + mountPoint + "\n");

        MountEntry entry = MountTable.current().topAt(mountPoint).orElseThrow();
        assertThat(entry.source()).isEqualTo("mountpoint-s3");
        assertThat(entry.type()).isEqualTo("fuse");
        assertThat(entry.options()).contains("nosuid", "nodev", "noatime", "rw");

        byte[] bytes = new byte[3_000_000];
        new Random(1).nextBytes(bytes);
        Files.write(mountPoint.resolve("background"), bytes);
        assertThat(Files.readAllBytes(mountPoint.resolve("background"))).isEqualTo(bytes);
        Files.delete(mountPoint.resolve("background"));

        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        awaitEndOf(servingPid());
    }

    @Test
    void inTheForegroundUnmountingEndsTheProcess() throws Exception {
        Program program = startInForeground();
        assertThat(servingPid()).isEqualTo(program.process().pid());
        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        assertThat(program.exitCode()).isZero();
    }

    @Test
    void aSignalUnmountsAndEndsWithZero() throws Exception {
        for (int signal : List.of(Processes.SIGTERM, Processes.SIGINT, Processes.SIGHUP)) {
            Program program = startInForeground();
            program.process().signal(signal);
            assertThat(program.exitCode()).as("after signal %d", signal).isZero();
            assertThat(isMounted()).isFalse();
        }
    }

    @Test
    void aSignalEndsAMountInUseAndLeavesNoUploadBehind() throws Exception {
        Program program = startInForeground();
        try (OutputStream file = Files.newOutputStream(mountPoint.resolve("unfinished"))) {
            file.write(new byte[20_000_000]);
            program.process().signal(Processes.SIGTERM);
            assertThat(program.exitCode()).isZero();
        } catch (IOException _) {
            // Closing a file of a mount that is gone fails, as it must.
        }
        assertThat(isMounted()).isFalse();
        try (HttpObjectStore store = store()) {
            assertThat(store.listUploads("unfinished", null).uploads()).isEmpty();
        }
    }

    @Test
    void withDebugTheLogHasEveryRequestAndNoContent() throws Exception {
        List<String> arguments = List.of(BUCKET, mountPoint.toString(), "--foreground", "--debug");
        Program program = mounted(start(Map.of(), arguments));
        Path file = Files.writeString(mountPoint.resolve("logged"), "what nobody else may read");
        assertThat(file).hasContent("what nobody else may read");
        assertThat(file.resolveSibling("absent")).doesNotExist();
        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);

        assertThat(program.exitCode()).isZero();
        assertThat(program.printed())
                .containsPattern("DEBUG .* create req=\\d+ ino=1 pid=\\d+ name=\"logged\": ok, \\d+ bytes in \\d+ us")
                .containsPattern("write req=\\d+ ino=\\d+ pid=\\d+ offset=0 length=25: ok, 25 bytes in \\d+ us")
                .containsPattern("read req=\\d+ ino=\\d+ pid=\\d+ offset=0 length=\\d+: ok, 25 bytes in \\d+ us")
                .containsPattern("lookup req=\\d+ ino=1 pid=\\d+ name=\"absent\": ENOENT in \\d+ us")
                .doesNotContain("nobody else");
    }

    @Test
    void theLogSaysWhatTheErrorNumberCannot() throws Exception {
        Program program = mounted(start(Map.of(), List.of(BUCKET, mountPoint.toString(), "--foreground")));
        Path file = Files.writeString(mountPoint.resolve("refused"), "x");
        assertThat(file.resolveSibling("absent")).doesNotExist();
        assertThatExceptionOfType(FileSystemException.class).isThrownBy(() -> Files.delete(file));
        assertThatExceptionOfType(FileSystemException.class).isThrownBy(() -> Files.writeString(file, "y"));
        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);

        assertThat(program.exitCode()).isZero();
        assertThat(program.printed().lines().filter(line -> line.contains("WARN")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("unlink failed with EPERM: refused", "--allow-delete"),
                        line -> assertThat(line).contains("open failed with EPERM: refused", "--allow-overwrite"));
    }

    @Test
    void aCrashLeavesADeadMountThatCanBeReplaced() throws Exception {
        Program program = startInForeground();
        program.process().signal(Processes.SIGKILL);
        program.exitCode();
        Program second = start();
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.printed()).contains("mount point " + mountPoint, "unmount it");

        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        assertThat(start().exitCode()).isZero();
    }

    @Test
    void whatAKilledEngineLeftUnfinishedIsAbortedByTheNextOne() throws Exception {
        String cache = scratch.resolve("cache").toString();
        Program program = startInForeground("--cache", cache);
        try (OutputStream file = Files.newOutputStream(mountPoint.resolve("killed"));
                HttpObjectStore store = store()) {
            file.write(new byte[20_000_000]);
            awaitUploads(store, 1);
            awaitNote(Path.of(cache));
            program.process().signal(Processes.SIGKILL);
            program.exitCode();
        } catch (IOException _) {
            // The bytes that were not stored are lost, and closing says so.
        }
        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);

        startInForeground("--cache", cache);

        try (HttpObjectStore store = store()) {
            awaitUploads(store, 0);
        }
        assertThat(mountPoint.resolve("killed")).doesNotExist();
    }

    /** The engine notes an upload when the store has begun it, a moment later. */
    private static void awaitNote(Path cache) {
        Await.until(Program.LONG, () -> "the upload has not been noted", () -> {
            try (Stream<Path> files = Files.walk(cache)) {
                return files.anyMatch(file -> file.getFileName().toString().startsWith("upload-"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void awaitUploads(HttpObjectStore store, int count) throws Exception {
        long deadline = System.nanoTime() + Program.LONG.toNanos();
        while (store.listUploads("killed", null).uploads().size() != count) {
            assertThat(System.nanoTime()).as("%d uploads in time", count).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void aLargeFileThatWasSyncedIsWrittenOn() throws Exception {
        byte[] bytes = new byte[20 << 20];
        new Random(3).nextBytes(bytes);
        startInForeground();
        Path path = mountPoint.resolve("synced");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(bytes, 0, 9 << 20));
            file.force(true);
            assertThat(path).hasSize(9 << 20);
            file.write(ByteBuffer.wrap(bytes, 9 << 20, 11 << 20));
        }
        assertThat(Arrays.equals(Files.readAllBytes(path), bytes)).isTrue();
    }

    @Test
    void aSecondMountIsRefusedAndTheFirstStays() throws Exception {
        startInForeground();
        Program second = start();
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.printed()).contains("mount point " + mountPoint + " is already mounted");
        assertThat(mountPoint).isDirectory();
    }

    @Test
    void aBucketThatIsNotThereLeavesNoMount() throws Exception {
        for (String mode : List.of("--foreground", "--debug")) {
            Program program = start(Map.of(), List.of("no-such-bucket", mountPoint.toString(), mode));
            assertThat(program.exitCode()).isEqualTo(1);
            assertThat(program.printed())
                    .contains("initial ListObjectsV2 failed for bucket no-such-bucket", "the bucket does not exist");
            assertThat(isMounted()).isFalse();
        }
    }

    @Test
    void onAGivenDescriptorABucketThatIsNotThereLeavesNothingThatHangs() throws Exception {
        try (FuseDevice device = FuseDevice.open()) {
            Mounts.mountFuse(device, "somebody", mountPoint, FuseMountOptions.ownedBy(0, 0));
            Program program = start(Map.of(3, device.descriptor()), List.of("no-such-bucket", "/dev/fd/3", "--no-log"));
            assertThat(program.exitCode()).isEqualTo(1);
            assertThat(program.printed()).contains("the bucket does not exist");
        }
        // Nobody has the descriptor any more, so the kernel has ended the connection.
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.createFile(mountPoint.resolve("x")))
                .withMessageContaining("not connected");
        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        assertThat(isMounted()).isFalse();
    }

    @Test
    void aStorageClassThatTheStoreDoesNotHaveFailsTheWriteInWords() throws Exception {
        Program program = mounted(
                start(Map.of(), List.of(BUCKET, mountPoint.toString(), "--foreground", "--storage-class", "NONSENSE")));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Files.writeString(mountPoint.resolve("classed"), "x"));
        // The kernel may believe in the name for another moment.
        Await.until(
                Program.LONG,
                () -> "the file is still there",
                () -> !Files.isRegularFile(mountPoint.resolve("classed")));
        Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        assertThat(program.exitCode()).isZero();
        assertThat(program.printed()).contains("InvalidStorageClass");
    }

    @Test
    void onAGivenDescriptorTheMakerKeepsTheMount() throws Exception {
        for (List<String> mode : List.of(List.of("--foreground"), List.<String>of())) {
            try (FuseDevice device = FuseDevice.open()) {
                Mounts.mountFuse(
                        device,
                        "somebody",
                        mountPoint,
                        FuseMountOptions.ownedBy(0, 0).withAllowOther(true));
                Program program = startAt("/dev/fd/3", Map.of(3, device.descriptor()), mode.toArray(String[]::new));
                program.awaitPrinted("bucket bucket is mounted at /dev/fd/3");
            }
            Path file = mountPoint.resolve("on-a-descriptor-" + mode.size());
            Files.writeString(file, "content");
            assertThat(file).hasContent("content");
            assertThat(MountTable.current().topAt(mountPoint).orElseThrow().source())
                    .isEqualTo("somebody");

            long pid = servingPid();
            Processes.kill(pid, Processes.SIGTERM);
            awaitEndOf(pid);
            assertThat(isMounted()).isTrue();
            Mounts.unmount(mountPoint, Mounts.Unmount.PLAIN);
        }
    }

    @Test
    void readOnlyIsTheKernelsBusiness() throws Exception {
        startInForeground("--read-only");
        assertThat(MountTable.current().topAt(mountPoint).orElseThrow().isReadOnly())
                .isTrue();
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.createFile(mountPoint.resolve("x")))
                .withMessageContaining("Read-only");
    }

    @Test
    void withoutAllowDeleteFilesStay() throws Exception {
        startInForeground();
        Path file = Files.writeString(mountPoint.resolve("stays"), "here");
        assertThatExceptionOfType(FileSystemException.class).isThrownBy(() -> Files.delete(file));
        assertThat(file).hasContent("here");
    }

    @Test
    void aPrefixIsTheRootOfTheMount() throws Exception {
        Program program = start("--prefix=below/");
        assertThat(program.exitCode()).isZero();
        assertThat(program.printed()).startsWith("prefix below/ of bucket bucket is mounted at ");
        Files.writeString(mountPoint.resolve("file"), "content");
        try (HttpObjectStore store = store()) {
            assertThat(store.head("below/file").size()).isEqualTo(7);
        }
    }

    @Test
    void modesAndOwnersAreShown() throws Exception {
        startInForeground("--uid=500", "--gid=20", "--dir-mode=0555", "--file-mode=0444", "--allow-other");
        Path file = Files.writeString(mountPoint.resolve("modes"), "x");
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(500);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(20);
        assertThat((int) Files.getAttribute(file, "unix:mode") & 0777).isEqualTo(0444);
        assertThat((int) Files.getAttribute(mountPoint, "unix:mode") & 0777).isEqualTo(0555);
        assertThat(MountTable.current().topAt(mountPoint).orElseThrow().superOptions())
                .contains("allow_other");
    }

    @Test
    void fstabMountsInTheBackground() throws Exception {
        Program program =
                start(Map.of(), List.of("s3://bucket/fstab/", mountPoint.toString(), "-o", "_netdev,ro,no-log"));
        assertThat(program.exitCode()).isZero();
        assertThat(program.printed()).contains("fstab", "prefix fstab/ of bucket bucket is mounted at");
        assertThat(MountTable.current().topAt(mountPoint).orElseThrow().isReadOnly())
                .isTrue();
    }

    @Test
    void existingFilesCanBeReplacedOnlyWhenAllowed() throws Exception {
        Program program = startInForeground();
        Path file = Files.writeString(mountPoint.resolve("old"), "old");
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.writeString(file, "new", StandardOpenOption.TRUNCATE_EXISTING))
                .isNotInstanceOf(AccessDeniedException.class);
        program.process().signal(Processes.SIGTERM);
        assertThat(program.exitCode()).isZero();

        startInForeground("--allow-overwrite");
        Files.writeString(file, "new", StandardOpenOption.TRUNCATE_EXISTING);
        assertThat(file).hasContent("new");
    }

    @Test
    void aCacheOnDiskIsFilledByReading() throws Exception {
        Path cache = scratch.resolve("cache");
        startInForeground("--cache", cache.toString());
        byte[] bytes = new byte[2 << 20];
        new Random(2).nextBytes(bytes);
        Files.write(mountPoint.resolve("cached"), bytes);
        assertThat(Files.readAllBytes(mountPoint.resolve("cached"))).isEqualTo(bytes);
        assertThat(cache.resolve("mountpoint-cache")).isDirectory();
    }

    @Test
    void theKernelReadsAheadFarther() throws Exception {
        startInForeground();
        MountEntry entry = MountTable.current().topAt(mountPoint).orElseThrow();
        Path setting = Path.of("/sys/class/bdi", entry.device().toString(), "read_ahead_kb");
        assertThat(Integer.parseInt(Files.readString(setting).strip())).isEqualTo(1024);
    }
}
