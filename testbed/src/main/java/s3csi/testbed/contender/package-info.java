/** Programs that serve a bucket as a file system, ours and others, mounted for as long as a test wants. */
@NullMarked
package s3csi.testbed.contender;

import org.jspecify.annotations.NullMarked;
