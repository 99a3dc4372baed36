package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.csi.v1.NodePublishVolumeResponse;
import s3csi.csi.v1.NodeUnpublishVolumeResponse;
import s3csi.driver.grpc.Call;
import s3csi.driver.node.NodeService;
import s3csi.driver.node.PublishRequests;
import s3csi.driver.node.Sweeper;
import s3csi.driver.node.VolumeStats;
import s3csi.driver.node.kernel.KernelMounts;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.target.BindMounts;
import s3csi.linux.LinuxException;
import s3csi.linux.MountEntry;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Mounts.Unmount;
import s3csi.linux.Processes;

/** A node service on the real kernel with engines that are real processes; it leaves no mount and no process behind. */
final class Node implements AutoCloseable {
    final Path plugin;
    final Path pods;
    private final Path command;
    private NodeService service;
    private Sweeper sweeper;

    Node(Path scratch) throws IOException {
        plugin = scratch.toRealPath().resolve("plugin");
        pods = Files.createDirectory(scratch.toRealPath().resolve("pods"));
        command = Files.writeString(scratch.resolve("mounter"), script());
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        start();
    }

    private static String script() {
        return "#!/bin/sh\nexec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Xmx64m"
                        .formatted(Path.of(System.getProperty("java.home"), "bin", "java"))
                + " --enable-native-access=ALL-UNNAMED -cp '%s' %s \"$@\"\n"
                        .formatted(System.getProperty("java.class.path"), StubMounter.class.getName());
    }

    private void start() throws IOException {
        Files.createDirectories(plugin);
        MountCalls mounts = new KernelMounts();
        BindMounts targets = new BindMounts(mounts, pods, plugin);
        ProcessMounter mounter = new ProcessMounter(
                mounts,
                targets,
                new SpawnedEngines(command),
                plugin,
                PublishRequests.driverKeys()::current,
                Map.of("AWS_ENDPOINT_URL", "http://127.0.0.1:1"));
        service = new NodeService("node-1", PublishRequests.reader(), targets, mounter, new VolumeStats(mounts));
        sweeper = new Sweeper(mounter::sweep);
    }

    /** A driver that was killed remembers nothing; its successor has only the disk and the mount table. */
    void restartDriver() throws IOException {
        sweeper.close();
        start();
    }

    NodeService service() {
        return service;
    }

    Path command() {
        return command;
    }

    Path target(String name) {
        return pods.resolve(name).resolve("mount");
    }

    Call<NodePublishVolumeResponse> publish(NodePublishVolumeRequest.Builder request) {
        return Call.of(service()::nodePublishVolume, request.build());
    }

    Path publish(String name) {
        publish(PublishRequests.publish(target(name))).given();
        return target(name);
    }

    Call<NodeUnpublishVolumeResponse> unpublish(String name) {
        return Call.of(service()::nodeUnpublishVolume, PublishRequests.unpublish(target(name)));
    }

    Optional<MountEntry> mountAt(Path path) throws IOException {
        return MountTable.current().topAt(path);
    }

    /** All mounts of this node, sources and targets. */
    List<MountEntry> mounts() throws IOException {
        return MountTable.current().select(entry -> entry.isBelow(plugin) || entry.isBelow(pods));
    }

    List<SourceDirectory> sources() {
        return SourceDirectory.allIn(plugin);
    }

    List<Integer> engines() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .filter(this::isEngine)
                    .map(process -> Integer.parseInt(process.getFileName().toString()))
                    .toList();
        }
    }

    private boolean isEngine(Path process) {
        try {
            return SpawnedEngines.commandLine(process).stream()
                    .anyMatch(argument -> argument.startsWith("--comm-dir=" + plugin));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        sweeper.close();
        for (int pid : engines()) {
            kill(pid);
        }
        for (MountEntry entry : mounts().reversed()) {
            Mounts.unmount(Path.of(entry.mountPoint()), Unmount.DETACH);
        }
    }

    static void kill(int pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    static void signal(int pid, int signal) throws LinuxException {
        Processes.kill(pid, signal);
    }
}
