/**
 * A real control plane of Kubernetes on loopback: etcd and kube-apiserver, without nodes. Who needs a scheduler, a binder or a kubelet writes
 * what they would write.
 */
@NullMarked
package s3csi.testbed.cluster;

import org.jspecify.annotations.NullMarked;
