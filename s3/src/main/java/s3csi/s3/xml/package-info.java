/**
 * The little XML that S3 speaks, read as it arrives. No document types, no external entities, bounded depth and text: there is
 * nothing here to attack.
 */
@NullMarked
package s3csi.s3.xml;

import org.jspecify.annotations.NullMarked;
