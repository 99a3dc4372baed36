/**
 * The port to S3: {@link s3csi.s3.ObjectStore}, its values and its failures.
 *
 * <p>Who owns what:
 *
 * <ul>
 *   <li><b>Buffers.</b> Object bytes only ever lie in native memory of the caller: a {@link s3csi.s3.BodySink} lends it for
 *       reading, a {@link s3csi.s3.Payload} for writing, both until the call ends. A store keeps no reference afterwards and
 *       puts no body on the heap.
 *   <li><b>Threads.</b> A request runs on the thread that makes it. A store of {@code s3csi.s3.http} has one daemon thread of its own,
 *       the watchdog of its timeouts, for as long as it has connections.
 *   <li><b>Connections.</b> They belong to the store's pool, and to one request at a time. A request that ends early, by
 *       interrupt, by a sink that has enough, or by a failure, closes its connection.
 * </ul>
 *
 * <p>Nothing here reads the environment or the system properties of the process: several stores with different settings live in
 * one JVM.
 */
@NullMarked
package s3csi.s3;

import org.jspecify.annotations.NullMarked;
