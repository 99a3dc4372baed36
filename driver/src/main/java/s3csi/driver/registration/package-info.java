/**
 * How the driver makes itself known to kubelet, where no sidecar does it: a socket in kubelet's directory of plugins, the service behind it,
 * and what kubelet said in the end.
 */
@NullMarked
package s3csi.driver.registration;

import org.jspecify.annotations.NullMarked;
