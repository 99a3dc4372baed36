@NullMarked
package s3csi.mounter;

import org.jspecify.annotations.NullMarked;
