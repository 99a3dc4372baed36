/**
 * The engine beside its peers: the same jobs, in turns, on mounts of one bucket of one MinIO whose data is in memory.
 *
 * <p>A {@link s3csi.testbed.bench.engine.Job} is what an application does with a mounted bucket; a
 * {@link s3csi.testbed.contender.Contender} is who serves the mount; a {@link s3csi.testbed.bench.engine.Bar} is what we
 * promise about one against the other. Only ratios of one run count: the machines are shared and noisy.
 */
@NullMarked
package s3csi.testbed.bench.engine;

import org.jspecify.annotations.NullMarked;
