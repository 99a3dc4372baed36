/** Buckets on a store. {@link s3csi.driver.bucket.BucketStore} is the port; the SDK's S3 client stands behind it. {@link s3csi.driver.bucket.Provisioning} holds the rules for whose bucket is whose. No fallback between keys, ever. */
@NullMarked
package s3csi.driver.bucket;

import org.jspecify.annotations.NullMarked;
