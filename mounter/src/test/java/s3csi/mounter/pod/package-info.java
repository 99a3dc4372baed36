@NullMarked
package s3csi.mounter.pod;

import org.jspecify.annotations.NullMarked;
