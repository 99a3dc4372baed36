/**
 * What tests of this and other modules build on: a store in memory, a store that fails on command, the contract that every store
 * keeps, and below it real S3 servers ({@code server}) as child processes ({@code process}). Shipped as a test jar only.
 */
@NullMarked
package s3csi.s3.testing;

import org.jspecify.annotations.NullMarked;
