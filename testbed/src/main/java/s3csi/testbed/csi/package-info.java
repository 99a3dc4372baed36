/** Our own programs as built, started and spoken to as a cluster does. */
@NullMarked
package s3csi.testbed.csi;

import org.jspecify.annotations.NullMarked;
