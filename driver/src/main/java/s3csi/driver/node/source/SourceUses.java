package s3csi.driver.node.source;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import s3csi.driver.node.kernel.MountCalls;
import s3csi.linux.DeviceNumber;
import s3csi.linux.MountEntry;

/**
 * Whether somebody uses a source. Whatever shows its device is a use, wherever it is: a target below this or another root, or a bind
 * that an administrator made. What does not count is the source itself, and its copies: where a container sees the plugin's directory
 * at two places, the kernel shows every mount in it twice.
 */
public final class SourceUses {
    private final MountCalls mounts;
    private final Path plugin;

    public SourceUses(MountCalls mounts, Path plugin) {
        this.mounts = mounts;
        this.plugin = plugin;
    }

    /**
     * Looks at the table several times, because a source may have a thousand targets and this is asked for many of them at once: none of
     * the looks keeps more than numbers and what they have in common. What comes or goes in between counts as a use.
     */
    public boolean exist(DeviceNumber device) {
        Set<Integer> parents = new HashSet<>(
                mounts.collect(entry -> entry.device().equals(device) ? Stream.of(entry.parent()) : Stream.empty()));
        Map<Integer, Parent> shown = new HashMap<>();
        mounts.collect(entry -> parents.contains(entry.id()) ? Stream.of(Parent.of(entry)) : Stream.empty())
                .forEach(parent -> shown.putIfAbsent(parent.id, parent));
        Set<Place> own = new HashSet<>(mounts.collect(entry -> entry.device().equals(device) && entry.isBelow(plugin)
                ? placeOf(entry, shown).stream()
                : Stream.empty()));
        return mounts.any(entry -> entry.device().equals(device)
                && !entry.isBelow(plugin)
                && placeOf(entry, shown).filter(own::contains).isEmpty());
    }

    /**
     * A directory, whatever the paths that lead to it.
     *
     * @param device of the file system that it is on
     */
    private record Place(DeviceNumber device, String path) {}

    /** What mounts are on. */
    private record Parent(int id, DeviceNumber device, String root, String mountPoint) {
        static Parent of(MountEntry entry) {
            return new Parent(entry.id(), entry.device(), withoutSlash(entry.root()), withoutSlash(entry.mountPoint()));
        }
    }

    /** The directory that something is mounted on; the kernel copies a mount to that very one. */
    private static Optional<Place> placeOf(MountEntry entry, Map<Integer, Parent> shown) {
        return Optional.ofNullable(shown.get(entry.parent()))
                .filter(parent -> entry.mountPoint().startsWith(parent.mountPoint))
                .map(parent -> new Place(
                        parent.device, parent.root + entry.mountPoint().substring(parent.mountPoint.length())));
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
