package s3csi.driver.node.pod;

import java.nio.file.Path;
import java.util.Optional;
import s3csi.driver.node.source.CredentialFiles;
import s3csi.driver.node.target.Target;
import s3csi.linux.Directory;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeId;
import s3csi.volume.mount.ProfileFiles;

/**
 * Keys in the driver's own directory on the host, in files that are named after a workload. Release 1.x put the driver's keys there for its
 * mounts, whose engines are services of systemd and go on under this release; keys of a Secret it put into the environment of the engine,
 * where they stay as they are. Some releases 2.x left keys there that no engine reads.
 *
 * @param plugin directory of the driver
 */
record HostKeys(Path plugin) {
    /** Whether an engine of 1.x was told to read the driver's keys there. */
    boolean exist(Target target, VolumeId volume) {
        return files(target, volume).filter(CredentialFiles::exist).isPresent();
    }

    /** Brings them up to date, where there are any. */
    void refresh(Target target, VolumeId volume, StoreKeys keys) {
        files(target, volume).filter(CredentialFiles::exist).ifPresent(files -> files.write(keys));
    }

    void remove(Target target, VolumeId volume) {
        files(target, volume).ifPresent(CredentialFiles::remove);
    }

    private Optional<CredentialFiles> files(Target target, VolumeId volume) {
        return target.workload()
                .map(workload -> new CredentialFiles(
                        () -> Directory.at(plugin), ProfileFiles.ofWorkload(workload.podUid(), volume)));
    }
}
