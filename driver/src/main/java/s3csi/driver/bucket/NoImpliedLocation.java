package s3csi.driver.bucket;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.model.CreateBucketConfiguration;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;

/**
 * The SDK adds the signing region to a CreateBucket request as its location. Stores outside AWS sign with regions that are no
 * locations of theirs and then refuse the bucket, so only a location that the StorageClass names is sent.
 */
final class NoImpliedLocation implements ExecutionInterceptor {
    private static final ExecutionAttribute<Boolean> EXPLICIT = new ExecutionAttribute<>("ExplicitLocation");

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        if (context.request() instanceof CreateBucketRequest request) {
            attributes.putAttribute(EXPLICIT, request.createBucketConfiguration() != null);
        }
    }

    /** Runs after the SDK's own interceptor has added the location. */
    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
        if (context.request() instanceof CreateBucketRequest request
                && Boolean.FALSE.equals(attributes.getAttribute(EXPLICIT))) {
            return request.toBuilder()
                    .createBucketConfiguration((CreateBucketConfiguration) null)
                    .build();
        }
        return context.request();
    }
}
