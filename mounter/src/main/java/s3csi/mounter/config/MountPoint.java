package s3csi.mounter.config;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the file system appears. */
public sealed interface MountPoint {
    Pattern DESCRIPTOR = Pattern.compile("/dev/fd/(\\d{1,9})");

    /** A directory that this program mounts on, and unmounts. */
    record Directory(Path path) implements MountPoint {
        @Override
        public String toString() {
            return path.toString();
        }
    }

    /** A FUSE device that somebody else opened, mounted and will unmount. */
    record FuseDescriptor(int number) implements MountPoint {
        @Override
        public String toString() {
            return "/dev/fd/" + number;
        }
    }

    static MountPoint parse(String text) {
        Matcher matcher = DESCRIPTOR.matcher(text);
        return matcher.matches()
                ? new FuseDescriptor(Integer.parseInt(matcher.group(1)))
                : new Directory(Path.of(text));
    }
}
