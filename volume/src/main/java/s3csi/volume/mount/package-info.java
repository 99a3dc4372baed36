/**
 * What a mount is made of, as pure text and values: options and the policy on them, all that an engine is told
 * ({@code EngineInstructions}), the message that hands a mount over, what an engine reports back, and the names and paths that node and
 * mounter agree on.
 *
 * <p>The node service writes these texts and the mounter reads them, across releases; each form is kept by a test.
 */
@NullMarked
package s3csi.volume.mount;

import org.jspecify.annotations.NullMarked;
