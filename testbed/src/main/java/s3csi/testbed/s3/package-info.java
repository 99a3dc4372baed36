/**
 * Ways to look at real S3 servers from outside, and to make the network between them and us fail. The servers themselves come
 * from the test jar of {@code s3}, whose own tests need them, too.
 */
@NullMarked
package s3csi.testbed.s3;

import org.jspecify.annotations.NullMarked;
