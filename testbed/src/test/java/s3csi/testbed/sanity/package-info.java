/**
 * The CSI community's own conformance test against our programs, as an orchestrator would run it: a controller and a node, each a
 * process of its own, and volumes that are really mounted.
 */
@NullMarked
package s3csi.testbed.sanity;

import org.jspecify.annotations.NullMarked;
