/**
 * The bake-off of HTTP transports and signers, whose results stand in {@code docs/decisions}. Run by hand: {@link
 * s3csi.s3.bench.TransportBakeOff} for the transports, {@link s3csi.s3.bench.SignerBenchmark} for the signers.
 */
@NullMarked
package s3csi.s3.bench;

import org.jspecify.annotations.NullMarked;
