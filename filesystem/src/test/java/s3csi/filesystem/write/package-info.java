@NullMarked
package s3csi.filesystem.write;

import org.jspecify.annotations.NullMarked;
