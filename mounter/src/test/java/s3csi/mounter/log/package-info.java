@NullMarked
package s3csi.mounter.log;

import org.jspecify.annotations.NullMarked;
