/**
 * The driver process: reads its configuration, starts the CSI services on their socket, serves health and metrics.
 *
 * <p>{@code grpc} speaks the protocol (socket, log line per call, status codes); {@code identity} and {@code controller} are
 * the CSI services of both kinds of process, {@code node} that of a node; {@code bucket} makes and deletes buckets; {@code health} answers kubelet and Prometheus. Each call runs on a
 * virtual thread of its own and blocks; the only platform threads are gRPC's one event loop and the socket's watchman.
 */
@NullMarked
package s3csi.driver;

import org.jspecify.annotations.NullMarked;
