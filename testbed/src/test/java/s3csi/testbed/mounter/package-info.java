@NullMarked
package s3csi.testbed.mounter;

import org.jspecify.annotations.NullMarked;
