/**
 * What the node service asks of the kernel, in the words of the rooms above: the mount table, FUSE mounts, binds, signs of life.
 *
 * <p>Whatever may wait for an engine runs on a platform thread that may be lost ({@code BoundedCalls}), and no call waits longer than it
 * was told to. What the kernel refuses becomes a cause here ({@code NodeFailures}) and nowhere else.
 */
@NullMarked
package s3csi.driver.node.kernel;

import org.jspecify.annotations.NullMarked;
