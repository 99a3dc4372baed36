/** What kubelet and Prometheus ask over HTTP: {@code /healthz} and {@code /metrics}. */
@NullMarked
package s3csi.driver.health;

import org.jspecify.annotations.NullMarked;
