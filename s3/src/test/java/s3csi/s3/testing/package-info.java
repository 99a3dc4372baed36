/**
 * What tests of this and other modules build on: a store in memory, a store that fails on command, the contract that every store
 * keeps, and real S3 servers as child processes. Shipped as a test jar only.
 */
@NullMarked
package s3csi.s3.testing;

import org.jspecify.annotations.NullMarked;
