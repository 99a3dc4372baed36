/**
 * What the reconciler wants, as pure functions: which Mountpoint Pod serves which workload ({@link s3csi.reconciler.model.Assignment}), and
 * what such a pod looks like ({@link s3csi.reconciler.model.MountpointPodTemplate}).
 *
 * <p>Nothing here asks or changes the cluster. What is known of it comes in as values, and what shall be done goes out as values.
 */
@NullMarked
package s3csi.reconciler.model;

import org.jspecify.annotations.NullMarked;
