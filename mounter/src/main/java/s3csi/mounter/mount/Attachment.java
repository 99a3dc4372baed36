package s3csi.mounter.mount;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.fuse.AccessRule;
import s3csi.linux.Errno;
import s3csi.linux.FuseConnection;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.LinuxException;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.Processes;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.StartFailure;

/** The kernel's side of a mount: one that we make and unmake, or one that somebody made for us. */
sealed interface Attachment permits Attachment.Own, Attachment.Given, Watched {
    /** What the mount table shows; tools that look for mount-s3's mounts know it. */
    String SOURCE = "mountpoint-s3";

    /** Checks the mount point. Nothing is mounted yet, but an inherited descriptor is ours from now on. */
    static Attachment to(MountConfig config) throws StartFailure {
        return switch (config.mountPoint()) {
            case MountPoint.Directory directory -> {
                Own own = new Own(MountPoints.checkedDirectory(directory));
                yield config.process().autoUnmount()
                        ? new Watched(own, UnmountHelper.find(config.store().environment()))
                        : own;
            }
            case MountPoint.FuseDescriptor descriptor -> new Given(MountPoints.adopted(descriptor));
        };
    }

    /** A device that is mounted and waits for somebody who serves it. */
    FuseDevice attach(MountConfig config) throws StartFailure;

    /** Makes the most of a mount that is being served. */
    void tune();

    /** Gives back what is left, whether {@link #attach} was called or not. */
    void release();

    /** Takes the mount out of the tree; true if nobody uses it any more and the session will end by itself. */
    boolean detach();

    /** A directory that we mount on. */
    record Own(Path path) implements Attachment {
        private static final Logger LOG = LoggerFactory.getLogger(Attachment.class);

        @Override
        public FuseDevice attach(MountConfig config) throws StartFailure {
            FuseDevice device;
            try {
                device = FuseDevice.open();
            } catch (LinuxException e) {
                throw cannot(e);
            }
            try {
                FuseMountOptions options = FuseMountOptions.ownedBy(
                                Processes.effectiveUserId(), Processes.effectiveGroupId())
                        .withAllowOther(!(config.access() instanceof AccessRule.Owner))
                        .withReadOnly(config.files().permissions().readOnly());
                Mounts.mountFuse(device, SOURCE, path, options);
            } catch (LinuxException e) {
                device.close();
                throw cannot(e);
            }
            return device;
        }

        private StartFailure cannot(LinuxException e) {
            String advice = switch (e.errno()) {
                case Errno.EPERM, Errno.EACCES ->
                    "; mounting needs root or CAP_SYS_ADMIN, and access to " + FuseDevice.PATH;
                case Errno.ENOENT, Errno.ENODEV, Errno.ENXIO ->
                    "; the kernel module fuse is not loaded or " + FuseDevice.PATH + " is missing";
                default -> "";
            };
            return new StartFailure(
                    "Failed to create FUSE session", new StartFailure("cannot mount at " + path + advice, e));
        }

        /** INIT cannot raise the kernel's read-ahead, but whoever may write to sysfs can afterwards. A mount works without, too. */
        @Override
        public void tune() {
            try {
                MountTable.current().topAt(path).ifPresent(entry -> {
                    try {
                        FuseConnection.of(entry.device()).setReadAhead(FuseConnection.LARGE_READ_AHEAD_KIB);
                    } catch (LinuxException e) {
                        LOG.debug("the kernel's read-ahead stays as it is", e);
                    }
                });
            } catch (IOException e) {
                LOG.debug("the kernel's read-ahead stays as it is", e);
            }
        }

        @Override
        public void release() {
            // Nothing is taken before it is attached.
        }

        @Override
        public boolean detach() {
            if (unmounted(Mounts.Unmount.PLAIN)) {
                return true;
            }
            unmounted(Mounts.Unmount.DETACH);
            return false;
        }

        private boolean unmounted(Mounts.Unmount how) {
            try {
                Mounts.unmount(path, how);
                return true;
            } catch (LinuxException e) {
                // Somebody uses it, or unmounted it before us.
                LOG.debug("unmounting {} ({}) did not work", path, how, e);
                return false;
            }
        }
    }

    /** A mount whose maker also unmakes it. */
    record Given(FuseDevice device) implements Attachment {
        @Override
        public FuseDevice attach(MountConfig config) {
            return device;
        }

        @Override
        public void tune() {
            // Whoever made the mount has the rights for that; we may have none.
        }

        @Override
        public void release() {
            device.close();
        }

        @Override
        public boolean detach() {
            return false;
        }
    }
}
