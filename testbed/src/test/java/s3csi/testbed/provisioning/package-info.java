/** Provisioning by the driver as built, against real S3 servers: what a sidecar asks for and what is then in the store. */
@NullMarked
package s3csi.testbed.provisioning;

import org.jspecify.annotations.NullMarked;
