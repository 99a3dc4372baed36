/**
 * Real S3 servers that nobody here wrote, and ways to make the network between them and us fail. Every server listens on
 * a free loopback port, keeps its data in a temporary directory and goes with this JVM.
 */
@NullMarked
package s3csi.testbed.s3;

import org.jspecify.annotations.NullMarked;
