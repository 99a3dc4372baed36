/**
 * The device loop and the life of a request.
 */
@NullMarked
package s3csi.fuse.session;

import org.jspecify.annotations.NullMarked;
