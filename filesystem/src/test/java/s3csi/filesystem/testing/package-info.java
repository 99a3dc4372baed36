/** A kernel without a kernel: calls a file system as a session would and waits for its answers. */
@NullMarked
package s3csi.filesystem.testing;

import org.jspecify.annotations.NullMarked;
