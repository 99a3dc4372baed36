/**
 * The loop that carries out what {@link s3csi.provisioner.model} decides.
 *
 * <p>Watches only tell what has to be looked at ({@link s3csi.provisioner.loop.ProvisioningCache}): they keep a line of every claim and volume.
 * What is decided about is read from the API server first, so nothing is decided by a copy that is behind, and nothing needs to be
 * remembered about what was written. The one thing in memory are the claims whose volume may have been made
 * ({@link s3csi.provisioner.loop.ClaimWork}).
 *
 * <p>Secrets are read by name when they are needed, and kept nowhere.
 */
@NullMarked
package s3csi.provisioner.loop;

import org.jspecify.annotations.NullMarked;
