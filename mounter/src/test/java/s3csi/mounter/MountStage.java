package s3csi.mounter;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.s3.testing.server.MinioServer;

/** A store with one bucket for a class, and for each test a place to mount it at; whatever a test leaves there is ended. */
@Tag("engine")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class MountStage {
    static final String BUCKET = "bucket";

    static MinioServer server;

    @TempDir
    Path scratch;

    Path mountPoint;
    private final List<Program> programs = new ArrayList<>();

    @BeforeAll
    static void startServer() {
        server = MinioServer.startInMemory();
        server.createBucket(BUCKET);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    final void makeMountPoint() throws Exception {
        mountPoint = Files.createDirectory(scratch.resolve("mnt")).toRealPath();
    }

    @AfterEach
    final void cleanUp() throws Exception {
        if (isMounted()) {
            Mounts.unmount(mountPoint, Mounts.Unmount.DETACH);
        }
        for (Program program : programs) {
            program.kill();
        }
        if (Files.exists(pidFile())) {
            ProcessHandle.of(servingPid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** The keys of the store, and where to write who serves. */
    final Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(Program.keysOf(server));
        environment.put("UNSTABLE_MOUNTPOINT_PID_FILE", pidFile().toString());
        return environment;
    }

    /** To be ended with the test. */
    final Program started(Program program) {
        programs.add(program);
        return program;
    }

    final Program mounted(Program program) throws Exception {
        program.awaitPrinted("is mounted at " + mountPoint);
        return program;
    }

    final boolean isMounted() throws Exception {
        return MountTable.current().topAt(mountPoint).isPresent();
    }

    private Path pidFile() {
        return scratch.resolve("pid");
    }

    /** Who serves in the background. */
    final long servingPid() throws Exception {
        return Long.parseLong(Files.readString(pidFile()));
    }
}
