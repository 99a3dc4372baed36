package s3csi.mounter.node;

import s3csi.linux.FuseDevice;
import s3csi.volume.mount.MountMessage;

/** A mount that a node service handed over: what it shall be, and the device to serve, which is ours to close. */
record HandedMount(MountMessage message, FuseDevice device) {}
