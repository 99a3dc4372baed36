/**
 * The CSI community's own conformance test against our program, as an orchestrator would run it.
 *
 * <p>csi-sanity wants a driver with a controller and a node. A controller has no node service; what csi-sanity asks of a
 * node after each volume is answered by a stand-in.
 */
@NullMarked
package s3csi.testbed.sanity;

import org.jspecify.annotations.NullMarked;
