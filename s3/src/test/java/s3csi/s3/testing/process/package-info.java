/**
 * Programs of other people as children of this JVM. A child never outlives us, its directories go with it, and what it
 * printed is shown when it fails.
 */
@NullMarked
package s3csi.s3.testing.process;

import org.jspecify.annotations.NullMarked;
