/**
 * The vocabulary that every process shares: names, ids, parameters, credentials and the causes of failure.
 *
 * <p>Everything here is a value or a pure function. No I/O, no clock, no Kubernetes and no gRPC types, because the mounter
 * inside a Mountpoint Pod uses these classes too and must stay small.
 */
@NullMarked
package s3csi.volume;

import org.jspecify.annotations.NullMarked;
