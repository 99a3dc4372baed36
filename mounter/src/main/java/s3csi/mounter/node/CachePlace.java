package s3csi.mounter.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.DirectoryTree;
import s3csi.mounter.config.StartFailure;
import s3csi.volume.mount.PodPaths;

/**
 * Where the cache of a mount is. A volume names a directory of the node, which is not there in a pod and could be anybody's elsewhere; so
 * the name is taken only from a node service that made a directory for this very mount. Otherwise it is the volume of the pod that is
 * for it, or else a new directory that goes with the mount.
 */
final class CachePlace implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CachePlace.class);

    /** Where a pod that was made for a volume with a cache has its volume for it. */
    static final Path VOLUME = Path.of(PodPaths.CACHE);

    private final CommDirectory comm;
    private final Path volume;
    private @Nullable Path temporary;

    CachePlace(CommDirectory comm, Path volume) {
        this.comm = comm;
        this.volume = volume;
    }

    /** The directory to use where this one is asked for; empty for no cache. */
    Optional<Path> insteadOf(Optional<Path> asked) throws StartFailure {
        if (Files.isDirectory(volume)) {
            return Optional.of(volume);
        }
        if (asked.isEmpty() || comm.holds(asked.get())) {
            return asked;
        }
        try {
            Path made = Files.createTempDirectory("s3csi-cache-");
            temporary = made;
            LOG.info("the cache is in {}, whatever {} is on the node", made, asked.get());
            return Optional.of(made);
        } catch (IOException e) {
            throw new StartFailure("no directory can be made for the cache; leave --cache out", e);
        }
    }

    @Override
    public void close() {
        Path made = temporary;
        if (made == null) {
            return;
        }
        try {
            DirectoryTree.remove(made);
        } catch (IOException e) {
            LOG.warn("the cache in {} could not be removed", made, e);
        }
    }
}
