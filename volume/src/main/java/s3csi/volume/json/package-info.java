/** JSON as node and mounter read and write it: a text once, at the edge. */
@NullMarked
package s3csi.volume.json;

import org.jspecify.annotations.NullMarked;
