@NullMarked
package s3csi.filesystem.cache;

import org.jspecify.annotations.NullMarked;
