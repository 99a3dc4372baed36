package s3csi.driver.node.source;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.driver.node.kernel.MountCalls.FuseMount;
import s3csi.linux.FuseMountOptions;

/**
 * The driver's own descriptors of FUSE devices, each under the name of its source. A mount lives as long as any process has one: it is
 * silent without an engine, and dead without a descriptor. How long the driver keeps its own is the mounter's decision, whatever becomes
 * of the engine that was given a copy.
 */
public final class SourceDevices {
    private final MountCalls mounts;
    private final Map<String, FuseMount> held = new HashMap<>();

    public SourceDevices(MountCalls mounts) {
        this.mounts = mounts;
    }

    /** Mounts a new device, and holds it. One that was held under the name before is let go. */
    FuseMount mount(String source, Path at, FuseMountOptions options) {
        FuseMount mounted = mounts.mountFuse(at, options);
        close(put(source, mounted));
        return mounted;
    }

    private synchronized @Nullable FuseMount put(String source, FuseMount mounted) {
        return held.put(source, mounted);
    }

    /** Gives up the descriptor of a source, if there is one. */
    public void letGo(String source) {
        close(remove(source));
    }

    private synchronized @Nullable FuseMount remove(String source) {
        return held.remove(source);
    }

    private static void close(@Nullable FuseMount mounted) {
        if (mounted != null) {
            mounted.close();
        }
    }
}
