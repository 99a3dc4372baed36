/** The checksums of S3 over native memory. Pure functions and small accumulators; nothing is kept. */
@NullMarked
package s3csi.s3.checksum;

import org.jspecify.annotations.NullMarked;
