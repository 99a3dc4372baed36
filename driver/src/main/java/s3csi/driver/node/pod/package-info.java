/**
 * Engines in Mountpoint Pods: the way of 2.x. The controller assigns a Mountpoint Pod to each workload and says so in an attachment
 * ({@code Assignments} reads both), the node mounts and hands the device over ({@code PodSources}), and when the controller says that a
 * Mountpoint Pod has done its work, the node unmounts ({@code PodUnmounts}), which ends the engine and so the pod.
 *
 * <p>The comm directory of a pod is the pod's to write in, so nothing in it is trusted; what a source was mounted for and how its targets
 * were published is noted in the driver's own directory ({@code PodSource}).
 */
@NullMarked
package s3csi.driver.node.pod;

import org.jspecify.annotations.NullMarked;
