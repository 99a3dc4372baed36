/**
 * Provisioning without a sidecar: what csi-provisioner 5 does for the driver, with the same names, annotations, finalizer and lease, so that
 * either can take over from the other at any time. {@link s3csi.provisioner.model} decides, {@link s3csi.provisioner.csi} calls the driver,
 * {@link s3csi.provisioner.loop} looks at the cluster and writes; here is what makes a part of a program of it.
 */
@NullMarked
package s3csi.provisioner;

import org.jspecify.annotations.NullMarked;
