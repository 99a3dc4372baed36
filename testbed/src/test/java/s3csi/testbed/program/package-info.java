@NullMarked
package s3csi.testbed.program;

import org.jspecify.annotations.NullMarked;
