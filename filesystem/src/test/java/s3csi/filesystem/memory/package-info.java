@NullMarked
package s3csi.filesystem.memory;

import org.jspecify.annotations.NullMarked;
