/** The CSI Identity service: who this driver is and whether it is ready. */
@NullMarked
package s3csi.driver.identity;

import org.jspecify.annotations.NullMarked;
