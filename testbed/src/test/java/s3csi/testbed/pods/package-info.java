/**
 * Mountpoint Pods on a node: a real API server, the controller, the driver as built, the mounter as built, real mounts and a real store.
 * What is played here is the rest of Kubernetes: scheduler and kubelet ({@code SmallKubelet}), containers by namespaces
 * ({@code PodProcess}).
 */
package s3csi.testbed.pods;
