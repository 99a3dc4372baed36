/** The demo: what the driver does for a volume, on one machine, with real parts. */
@NullMarked
package s3csi.testbed.demo;

import org.jspecify.annotations.NullMarked;
