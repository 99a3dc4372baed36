package s3csi.driver.node.pod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import s3csi.driver.node.kernel.FakeMounts;
import s3csi.linux.ReceivedMessage;
import s3csi.linux.UnixListener;
import s3csi.linux.UnixStream;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.KubeletPaths;
import s3csi.volume.mount.MountMessage;

/** Mountpoint Pods as a node sees them: a comm directory, and somebody who listens there and serves what is handed over. */
final class FakePods implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final FakeMounts mounts;
    private final KubeletPaths kubelet;
    private final Map<String, UnixListener> listeners = new ConcurrentHashMap<>();

    final List<MountMessage> messages = new CopyOnWriteArrayList<>();

    FakePods(FakeMounts mounts, KubeletPaths kubelet) {
        this.mounts = mounts;
        this.kubelet = kubelet;
    }

    Path comm(String name) {
        return Path.of(kubelet.comm(PodObjects.uid(name)));
    }

    void start(String name) throws IOException {
        Files.createDirectories(comm(name));
        UnixListener listener = UnixListener.bind(comm(name).resolve(CommFiles.SOCKET));
        listeners.put(name, listener);
        Thread.ofPlatform().daemon().start(() -> listen(name, listener));
    }

    private void listen(String name, UnixListener listener) {
        try {
            while (true) {
                Optional<UnixStream> stream = listener.accept(LONG);
                if (stream.isEmpty()) {
                    return;
                }
                serve(name, stream.get());
            }
        } catch (IOException e) {
            // It was closed.
            listeners.remove(name, listener);
        }
    }

    private void serve(String name, UnixStream opened) throws IOException {
        try (UnixStream stream = opened;
                ReceivedMessage received = stream.receiveAll(MountMessage.LARGEST, 1, LONG)) {
            messages.add(MountMessage.parse(received.bytes()));
            mounts.topAt(Path.of(kubelet.source(name)))
                    .ifPresent(entry -> mounts.setPulse(entry.device(), FakeMounts.ALIVE));
        }
    }

    @Override
    public void close() throws IOException {
        for (UnixListener listener : listeners.values()) {
            listener.close();
        }
    }
}
