/** The image: how archives are written, and the image as built, unpacked and run. */
@NullMarked
package s3csi.testbed.image;

import org.jspecify.annotations.NullMarked;
