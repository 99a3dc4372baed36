@NullMarked
package s3csi.mounter.mount;

import org.jspecify.annotations.NullMarked;
