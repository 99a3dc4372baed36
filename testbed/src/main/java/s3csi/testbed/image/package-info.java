/** Container images, made of a directory without a container engine: the same directory always makes the same bytes. */
@NullMarked
package s3csi.testbed.image;

import org.jspecify.annotations.NullMarked;
