/**
 * What a mount counts and measures, under the names that mount-s3 has for it.
 *
 * <p>Instruments are made once per series and kept by who uses them; using one takes a few atomic additions and no memory.
 * {@link s3csi.mounter.metrics.Metrics} holds them all and takes snapshots, of which the log shows the difference every few
 * seconds, Prometheus the sum since the start, and {@link s3csi.mounter.metrics.otlp} pushes either to a collector.
 */
@NullMarked
package s3csi.mounter.metrics;

import org.jspecify.annotations.NullMarked;
