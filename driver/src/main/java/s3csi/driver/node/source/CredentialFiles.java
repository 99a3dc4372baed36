package s3csi.driver.node.source;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.volume.StoreKeys;
import s3csi.volume.mount.ProfileFiles;

/** The keys of one engine, in the two files of a profile that it reads again and again. Written only when they changed. */
public final class CredentialFiles {
    /** For root and the group of the engine. */
    private static final int MODE = 0640;

    private static final int LARGEST = 64 << 10;

    private final Place directory;
    private final ProfileFiles files;

    /** Where they are. It is opened anew each time, in a way that suits whoever else may write there. */
    @FunctionalInterface
    public interface Place {
        Directory open() throws LinuxException;
    }

    public CredentialFiles(Place directory, ProfileFiles files) {
        this.directory = directory;
        this.files = files;
    }

    /** Puts the keys in place. A reader sees the old ones or the new ones, whole. */
    public void write(StoreKeys keys) {
        try (Directory opened = directory.open()) {
            replace(opened, files.configFile(), files.config());
            replace(opened, files.credentialsFile(), files.credentials(keys));
        } catch (LinuxException e) {
            throw NodeFailures.of("write the keys of the engine", e);
        }
    }

    /** Whether the engine has exactly these keys. */
    public boolean hold(StoreKeys keys) {
        try (Directory opened = directory.open()) {
            return holds(opened, files.credentialsFile(), files.credentials(keys));
        } catch (LinuxException e) {
            throw NodeFailures.of("read the keys of the engine", e);
        }
    }

    public boolean exist() {
        try (Directory opened = directory.open()) {
            opened.read(files.credentialsFile(), LARGEST);
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENAMETOOLONG) {
                return false;
            }
            throw NodeFailures.of("read the keys of the engine", e);
        }
    }

    /** Takes them away, where they are. */
    public void remove() {
        try (Directory opened = directory.open()) {
            opened.removeIfPresent(files.credentialsFile());
            opened.removeIfPresent(files.configFile());
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENAMETOOLONG) {
                throw NodeFailures.of("remove the keys of the engine", e);
            }
        }
    }

    private static void replace(Directory directory, String name, String content) throws LinuxException {
        if (!holds(directory, name, content)) {
            directory.replace(name, content.getBytes(StandardCharsets.UTF_8), MODE, -1, -1);
        }
    }

    private static boolean holds(Directory directory, String name, String content) throws LinuxException {
        try {
            return Arrays.equals(directory.read(name, LARGEST), content.getBytes(StandardCharsets.UTF_8));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }
}
