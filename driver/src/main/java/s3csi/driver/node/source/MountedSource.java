package s3csi.driver.node.source;

import java.nio.file.Path;
import s3csi.linux.DeviceNumber;

/** A FUSE mount that an engine serves, in the plugin's directory. */
public record MountedSource(String name, Path path, DeviceNumber device) {}
