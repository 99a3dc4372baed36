@NullMarked
package s3csi.csi.v1;

import org.jspecify.annotations.NullMarked;
