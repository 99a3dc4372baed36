/**
 * Real S3 servers that nobody here wrote. Every server listens on a free loopback port, keeps its data in a temporary directory and
 * goes with this JVM.
 */
@NullMarked
package s3csi.s3.testing.server;

import org.jspecify.annotations.NullMarked;
