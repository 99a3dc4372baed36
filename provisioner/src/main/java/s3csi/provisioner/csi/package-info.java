/** The driver, called through its CSI socket as a sidecar does. Only here is gRPC seen. */
@NullMarked
package s3csi.provisioner.csi;

import org.jspecify.annotations.NullMarked;
