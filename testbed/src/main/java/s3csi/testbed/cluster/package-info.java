/**
 * Kubernetes, in two sizes. {@code ControlPlane} is etcd and kube-apiserver on loopback, without nodes: who needs a scheduler, a binder or a
 * kubelet writes what they would write. {@code LiveCluster} is a whole one, which the launcher starts.
 */
@NullMarked
package s3csi.testbed.cluster;

import org.jspecify.annotations.NullMarked;
