/**
 * Metrics for a collector of OpenTelemetry: OTLP over HTTP, in protobuf.
 *
 * <p>OpenTelemetry's own library would take more memory and time to start than all the rest of a mount, for the sake of one message;
 * here that message is made by hand. From a snapshot to the bytes there are only pure functions
 * ({@link s3csi.mounter.metrics.otlp.ExportRequest}); {@link s3csi.mounter.metrics.otlp.MetricsPush} owns the one thread, and
 * what the collector has not got yet.
 */
@NullMarked
package s3csi.mounter.metrics.otlp;

import org.jspecify.annotations.NullMarked;
