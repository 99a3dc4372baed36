/**
 * The node as built: the driver, the mounter and the kernel are real, and so is the store. What is looked at is what a workload sees,
 * and what is left on the node afterwards.
 */
@NullMarked
package s3csi.testbed.node;

import org.jspecify.annotations.NullMarked;
