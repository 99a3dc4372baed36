package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.FuseDevice;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Pipe;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.StartFailure;

final class MountPointsTest {
    @TempDir
    private Path scratch;

    private static String refusal(Path path) {
        return assertThatExceptionOfType(StartFailure.class)
                .isThrownBy(() -> MountPoints.checkedDirectory(new MountPoint.Directory(path)))
                .withMessage("Failed to create mount point")
                .actual()
                .report();
    }

    private static String refusal(int descriptor) {
        return assertThatExceptionOfType(StartFailure.class)
                .isThrownBy(() -> MountPoints.adopted(new MountPoint.FuseDescriptor(descriptor)))
                .withMessage("Failed to create mount point")
                .actual()
                .report();
    }

    @Test
    void aDirectoryIsTakenByItsRealPath() throws Exception {
        Path link =
                Files.createSymbolicLink(scratch.resolve("link"), Files.createDirectory(scratch.resolve("directory")));
        assertThat(MountPoints.checkedDirectory(new MountPoint.Directory(link)))
                .isEqualTo(scratch.toRealPath().resolve("directory"));
    }

    @Test
    void whatIsNotThereIsNamed() {
        Path missing = scratch.resolve("missing");
        assertThat(refusal(missing)).contains("0: mount point " + missing + " does not exist");
    }

    @Test
    void aFileIsNoMountPoint() throws Exception {
        Path file = Files.createFile(scratch.resolve("file"));
        assertThat(refusal(file)).contains("mount point " + file + " is not a directory");
    }

    @Test
    void aDirectoryWithSomethingInItIsRefused() throws Exception {
        Files.createFile(scratch.resolve(".hidden"));
        assertThat(refusal(scratch))
                .contains("mount point " + scratch + " is not empty, and the mount would hide what is in it");
    }

    @Test
    void aPlaceThatIsMountedAlreadyIsRefused() {
        assertThat(refusal(Path.of("/proc"))).contains("mount point /proc is already mounted");
    }

    @Test
    @Tag("engine")
    void anAutomounterMayWaitAtThePlaceAndNothingElse() throws Exception {
        Path place = Files.createDirectory(scratch.resolve("auto")).toRealPath();
        String waits = "mkfifo \"$1.pipe\" && exec 4<>\"$1.pipe\""
                + " && mount -i -t autofs -o fd=4,pgrp=$$,minproto=5,maxproto=5,indirect auto \"$1\" && echo waits; read";
        Process automounter = new ProcessBuilder("bash", "-c", waits, "bash", place.toString())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(automounter.inputReader().readLine()).isEqualTo("waits");
            assertThat(MountPoints.checkedDirectory(new MountPoint.Directory(place)))
                    .isEqualTo(place);
            Mounts.bind(scratch.toRealPath(), place);
            assertThat(refusal(place)).contains("mount point " + place + " is already mounted");
        } finally {
            while (!MountTable.current().at(place).isEmpty()) {
                Mounts.unmount(place, Mounts.Unmount.DETACH);
            }
            automounter.outputWriter().close();
            automounter.waitFor();
        }
    }

    @Test
    void aNumberThatIsNotOpenIsRefused() {
        assertThat(refusal(999_999)).contains("mount point /dev/fd/999999 is not a valid file descriptor");
    }

    @Test
    void aPipeIsNoFuseDevice() throws Exception {
        try (Pipe pipe = Pipe.open()) {
            int number = pipe.reader().number();
            assertThat(refusal(number))
                    .contains("expected mount point /dev/fd/" + number
                            + " to be a /dev/fuse device file descriptor but got" + " pipe:[");
            assertThat(pipe.reader().isOpen()).isTrue();
        }
    }

    @Test
    @Tag("engine")
    void aDeviceThatWasInheritedIsNotPassedOn() throws Exception {
        FuseDevice opened = FuseDevice.open();
        opened.descriptor().setCloseOnExec(false);
        try (FuseDevice adopted = MountPoints.adopted(
                new MountPoint.FuseDescriptor(opened.descriptor().number()))) {
            assertThat(adopted.descriptor().isCloseOnExec()).isTrue();
        }
    }
}
