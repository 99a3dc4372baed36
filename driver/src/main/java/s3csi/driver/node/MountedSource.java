package s3csi.driver.node;

import java.nio.file.Path;
import s3csi.linux.DeviceNumber;

/** A FUSE mount that an engine serves, in the plugin's directory. */
record MountedSource(String name, Path path, DeviceNumber device) {}
