/** AWS Signature Version 4 in headers, and the percent-encoding that goes with it. */
@NullMarked
package s3csi.s3.signing;

import org.jspecify.annotations.NullMarked;
