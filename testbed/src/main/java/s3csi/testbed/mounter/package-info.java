/** The mounter as a process, and the node service's part of its work. */
@NullMarked
package s3csi.testbed.mounter;

import org.jspecify.annotations.NullMarked;
