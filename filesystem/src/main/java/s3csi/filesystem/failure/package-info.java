/** What can go wrong with a file, in the words of files; one switch turns it into error numbers. Pure values. */
@NullMarked
package s3csi.filesystem.failure;

import org.jspecify.annotations.NullMarked;
