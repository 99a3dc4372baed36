@NullMarked
package s3csi.filesystem.directory;

import org.jspecify.annotations.NullMarked;
