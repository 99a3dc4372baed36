package s3csi.mounter.pod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.DirectoryTree;
import s3csi.mounter.config.StartFailure;

/**
 * Where the cache of a mount is. A volume names a directory of the node, which is not there in a pod and could be anybody's elsewhere; so
 * the name is taken only from a node service that made a directory for this very mount. Otherwise it is the volume of the pod that is
 * for it, or else a new directory that goes with the mount.
 *
 * @param options of the mount, with the directory that is really used
 * @param temporary what {@link #close} removes; null for nothing
 */
record CacheDirectory(List<String> options, @Nullable Path temporary) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CacheDirectory.class);

    /** Where a pod that was made for a volume with a cache has its volume for it. */
    static final Path VOLUME = Path.of("/local-cache");

    private static final String OPTION = "--cache";

    static CacheDirectory of(List<String> asked, CommDirectory comm, Path volume) throws StartFailure {
        List<String> options = new ArrayList<>(asked);
        String named = takeOut(options);
        if (Files.isDirectory(volume)) {
            return new CacheDirectory(with(options, volume), null);
        }
        if (named == null || comm.holds(Path.of(named))) {
            return new CacheDirectory(asked, null);
        }
        try {
            Path temporary = Files.createTempDirectory("s3csi-cache-");
            LOG.info("the cache is in {}, whatever {} is on the node", temporary, named);
            return new CacheDirectory(with(options, temporary), temporary);
        } catch (IOException e) {
            throw new StartFailure("no directory can be made for the cache; leave --cache out", e);
        }
    }

    /** What the option names, in either way to write it; null without the option. */
    private static @Nullable String takeOut(List<String> options) {
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i).startsWith(OPTION + "=")) {
                return options.remove(i).substring(OPTION.length() + 1);
            }
            if (options.get(i).equals(OPTION) && i + 1 < options.size()) {
                options.remove(i);
                return options.remove(i);
            }
        }
        return null;
    }

    private static List<String> with(List<String> options, Path directory) {
        options.add(OPTION + "=" + directory);
        return List.copyOf(options);
    }

    @Override
    public void close() {
        if (temporary == null) {
            return;
        }
        try {
            DirectoryTree.remove(temporary);
        } catch (IOException e) {
            LOG.warn("the cache in {} could not be removed", temporary, e);
        }
    }
}
