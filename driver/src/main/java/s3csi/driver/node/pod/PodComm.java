package s3csi.driver.node.pod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.driver.node.source.CredentialFiles;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.volume.mount.CommFiles;
import s3csi.volume.mount.ProfileFiles;

/**
 * The comm directory of a Mountpoint Pod, from the node's side. The pod may write in it, so every file is reached from the directory
 * itself and no link is followed. What is made in it belongs to the pod's group: kubelet has set the directory up like that.
 */
record PodComm(Path path) {
    private static final String UPLOADS = "uploads";

    /** What is made in them has their group, too. */
    private static final int CREDENTIALS_MODE = 02750;

    private static final int UPLOADS_MODE = 02770;

    boolean exists() {
        return Files.isDirectory(path);
    }

    /** Makes what an engine finds there. */
    void prepare() {
        try (Directory comm = Directory.at(path)) {
            make(comm, CommFiles.CREDENTIALS, CREDENTIALS_MODE);
            make(comm, UPLOADS, UPLOADS_MODE);
        } catch (LinuxException e) {
            throw NodeFailures.of("prepare " + path, e);
        }
    }

    private static void make(Directory comm, String name, int mode) throws LinuxException {
        try {
            comm.makeDirectory(name, mode);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
        // Not when it is made: the process' mask would take bits away.
        comm.changeMode(name, mode);
    }

    CredentialFiles credentials(ProfileFiles files) {
        return new CredentialFiles(this::openCredentials, files);
    }

    private Directory openCredentials() throws LinuxException {
        try (Directory comm = Directory.at(path)) {
            return comm.directory(CommFiles.CREDENTIALS);
        }
    }

    /** The profiles whose files are there, whoever wrote them. */
    List<ProfileFiles> profiles() {
        try (Directory opened = openCredentials()) {
            return opened.names().stream()
                    .filter(name -> !name.startsWith(".") && name.endsWith(ProfileFiles.CREDENTIALS_SUFFIX))
                    .map(name -> name.substring(0, name.length() - ProfileFiles.CREDENTIALS_SUFFIX.length()))
                    .map(ProfileFiles::new)
                    .toList();
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return List.of();
            }
            throw NodeFailures.of("list the keys in " + path, e);
        } catch (IOException e) {
            throw NodeFailures.of("list the keys in " + path, e);
        }
    }

    /** Tells the engine that its end is wanted, unless it was told. */
    void askForTheEnd() {
        try (Directory comm = Directory.at(path)) {
            if (!Files.exists(path.resolve(CommFiles.EXIT), LinkOption.NOFOLLOW_LINKS)) {
                comm.replace(CommFiles.EXIT, new byte[0], 0640, -1, -1);
            }
        } catch (LinuxException e) {
            throw NodeFailures.of("write " + path.resolve(CommFiles.EXIT), e);
        }
    }
}
