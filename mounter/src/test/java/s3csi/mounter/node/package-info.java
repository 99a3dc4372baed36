@NullMarked
package s3csi.mounter.node;

import org.jspecify.annotations.NullMarked;
