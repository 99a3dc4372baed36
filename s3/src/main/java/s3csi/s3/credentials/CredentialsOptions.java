package s3csi.s3.credentials;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import s3csi.s3.http.Trust;

/**
 * Which credentials to use, as a user says it.
 *
 * @param environment the variables to look into; need not be those of this process
 * @param anonymous wins over everything
 * @param profile only this profile, and nothing else; null for the usual order: environment, profile files, web identity, and a
 *     container's service if the environment names one
 * @param store where the store is, because its token service may be there, too; null for AWS
 * @param region that the store is used in, for roles whose profile names no other; null if nobody chose one
 * @param trust whom to believe that it is the token service
 */
public record CredentialsOptions(
        Map<String, String> environment,
        boolean anonymous,
        @Nullable String profile,
        @Nullable URI store,
        @Nullable String region,
        Trust trust,
        Clock clock) {
    public CredentialsSource source() {
        if (anonymous) {
            return CredentialsSource.anonymous();
        }
        TokenServices services = new TokenServices(environment, store, region, trust, clock);
        if (profile != null) {
            return profileSource(profile, services);
        }
        List<CredentialsSource> chain = new ArrayList<>();
        chain.add(new EnvironmentCredentials(environment));
        chain.add(profileSource(services.value("AWS_PROFILE", "default"), services));
        CredentialsSource identity = webIdentity(services);
        if (identity != null) {
            chain.add(identity);
        }
        CredentialsSource container = ContainerCredentials.named(environment, trust);
        if (container != null) {
            chain.add(new RefreshingCredentials(container, clock));
        }
        return new CredentialsChain(chain);
    }

    private CredentialsSource profileSource(String name, TokenServices services) {
        Path home = Path.of(services.value("HOME", "/"), ".aws");
        return new ProfileCredentials(
                Path.of(services.value(
                        "AWS_SHARED_CREDENTIALS_FILE",
                        home.resolve("credentials").toString())),
                Path.of(services.value("AWS_CONFIG_FILE", home.resolve("config").toString())),
                name,
                services);
    }

    private @Nullable CredentialsSource webIdentity(TokenServices services) {
        String arn = services.value("AWS_ROLE_ARN", "");
        String token = services.value("AWS_WEB_IDENTITY_TOKEN_FILE", "");
        if (arn.isEmpty() || token.isEmpty()) {
            return null;
        }
        Role role = new Role(arn, services.value("AWS_ROLE_SESSION_NAME", Role.DEFAULT_SESSION), null, null, null);
        return new RefreshingCredentials(new WebIdentityCredentials(role, Path.of(token), services), clock);
    }
}
