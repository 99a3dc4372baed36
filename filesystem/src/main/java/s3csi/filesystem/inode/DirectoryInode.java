package s3csi.filesystem.inode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory: something that keys below it imply, or that was made here and has nothing below it yet. */
public final class DirectoryInode extends Inode {
    /** What the mount shows of the bucket; only the root has it. */
    private final String prefix;

    /** Those that are objects. */
    final InodeIndex.ByName children = new InodeIndex.ByName();

    /** How many more there are at rest. */
    int restingChildren;

    /** Made by mkdir, or something in it was removed here; and nothing in the store implies it so far, as we know. */
    boolean local;

    /** Local only because something in it was removed here. It may have been the last thing, but then a directory stays, empty. */
    boolean emptied;

    /** How many of the children are local. */
    int localChildren;

    /** What utimes set, shown while it exists only here. */
    @Nullable
    Instant modified;

    /** Removed by rmdir: nothing may be created in it any more. */
    boolean removed;

    DirectoryInode(long number, @Nullable DirectoryInode parent, String name, String prefix) {
        super(number, parent, name);
        this.prefix = prefix;
    }

    /** Sets a time that is shown while it exists only here; false if it does not. */
    boolean setTime(@Nullable Instant time) {
        if (local && time != null) {
            modified = time;
        }
        return local;
    }

    @Override
    public String key() {
        List<String> names = new ArrayList<>();
        DirectoryInode at = this;
        for (DirectoryInode up = parent(); up != null; up = up.parent()) {
            names.add(at.name());
            at = up;
        }
        Collections.reverse(names);
        StringBuilder key = new StringBuilder(at.prefix);
        for (String name : names) {
            key.append(name).append('/');
        }
        return key.toString();
    }

    /** A directory lives on while something in it does that the store does not know yet. */
    @Override
    boolean isLocal() {
        return local || localChildren > 0;
    }

    @Override
    boolean isKept() {
        return (local && !emptied) || children.size() + restingChildren > 0;
    }

    /** The children that the store does not know yet, or not in their present form. */
    List<Inode> localOnes() {
        List<Inode> found = new ArrayList<>();
        if (localChildren > 0) {
            children.forEach(child -> {
                if (child.isLocal()) {
                    found.add(child);
                }
            });
        }
        return found;
    }
}
