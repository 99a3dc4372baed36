/**
 * The CSI Node service: volumes get to workloads and away again.
 *
 * <p>{@code NodeService} reads a request field by field ({@code PublishReader}), keeps other calls off its target ({@code InFlight}) and
 * asks a {@code Mounter} for the volume. Rooms, each of which sees only those before it: {@code kernel} (mounts and the mount table),
 * {@code target} (what workloads see), this one, {@code source} (a FUSE mount and its hand-over to an engine), {@code process} (engines
 * as child processes).
 *
 * <p><b>Truth</b> is on disk and in the mount table, never in memory: a driver that was killed at any step finds out by looking, and
 * whoever calls next finishes or takes back what it left.
 *
 * <p><b>Locks.</b> First the target (a second call is turned away), then its source (a second call waits, and not longer than its
 * deadline). Binding happens with the source's lock held, so that no source ends while somebody is about to refer to it.
 */
@NullMarked
package s3csi.driver.node;

import org.jspecify.annotations.NullMarked;
