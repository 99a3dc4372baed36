@NullMarked
package s3csi.filesystem.read;

import org.jspecify.annotations.NullMarked;
