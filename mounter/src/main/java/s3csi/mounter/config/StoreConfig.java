package s3csi.mounter.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How to reach the bucket.
 *
 * @param endpoint null for AWS
 * @param region null when nobody chose one
 * @param caBundle authorities to trust instead of the system's; null for those
 * @param attempts how often a request is tried at most; empty for as often as the patience allows
 * @param environment for credentials and proxies
 */
public record StoreConfig(
        @Nullable URI endpoint,
        @Nullable String region,
        boolean pathStyle,
        boolean transferAcceleration,
        boolean dualStack,
        boolean requesterPays,
        @Nullable String expectedBucketOwner,
        @Nullable Path caBundle,
        CredentialChoice credentials,
        String userAgentPrefix,
        OptionalInt attempts,
        Environment environment) {}
