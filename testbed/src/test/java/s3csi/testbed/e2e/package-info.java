/**
 * The driver in a whole cluster: API server, controllers, scheduler, kubelet and containers are those that users have, the driver is installed
 * from its image by its chart. {@code ./s3csi test e2e} starts the cluster; with one that runs, the tests can be run by themselves.
 */
package s3csi.testbed.e2e;
