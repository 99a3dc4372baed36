/**
 * The way of bytes from the store to the kernel.
 *
 * <p>{@link s3csi.filesystem.read.Readers} is what all open files of a mount share; {@link s3csi.filesystem.read.ObjectReader} is one
 * open file: one version of one object.
 */
@NullMarked
package s3csi.filesystem.read;

import org.jspecify.annotations.NullMarked;
