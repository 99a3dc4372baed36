/**
 * The driver process. {@code DriverCommand} reads the command line, {@code DriverConfig} and {@code NodeSetup} hold what the driver is told,
 * {@code Main} puts it together, {@code DriverProcess} takes it apart again.
 *
 * <p>{@code grpc} speaks the protocol (socket, log line per call, status codes); {@code identity} and {@code controller} are the CSI services
 * of both kinds of process, {@code node} that of a node; {@code registration} makes it known to kubelet; {@code bucket} makes and deletes
 * buckets. Each call runs on a virtual thread of its own and blocks; the only platform threads are, for each socket, gRPC's one event loop and
 * the watchman.
 *
 * <p>Whatever callers and clients send is bounded before it is kept: the heap is small, and no number of them may end the driver. Memory
 * that runs out all the same fails the call that asked for it; only an error of the JVM in a thread of the driver itself ends the process.
 */
@NullMarked
package s3csi.driver;

import org.jspecify.annotations.NullMarked;
