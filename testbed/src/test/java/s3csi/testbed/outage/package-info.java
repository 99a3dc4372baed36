/** A store that goes and comes back under a bucket mounted by the program as built, and what its users see of it. */
@NullMarked
package s3csi.testbed.outage;

import org.jspecify.annotations.NullMarked;
