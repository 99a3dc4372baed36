/**
 * What kubelet and Prometheus ask a program over HTTP: {@code /healthz} and {@code /metrics}.
 *
 * <p>For programs that serve a cluster. The engine has none of it: there is one for each volume, and it must stay small.
 */
@NullMarked
package s3csi.health;

import org.jspecify.annotations.NullMarked;
