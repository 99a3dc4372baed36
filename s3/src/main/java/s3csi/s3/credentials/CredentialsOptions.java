package s3csi.s3.credentials;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import s3csi.s3.http.Origin;
import s3csi.s3.http.Trust;

/**
 * Which credentials to use, as a user says it.
 *
 * @param environment the variables to look into; need not be those of this process
 * @param anonymous wins over everything
 * @param profile only this profile, and nothing else; null for the usual order: environment, profile files, web identity, and a
 *     container's service if the environment names one
 * @param trust whom to believe that it is the token service
 */
public record CredentialsOptions(
        Map<String, String> environment,
        boolean anonymous,
        @Nullable String profile,
        Trust trust,
        Clock clock) {
    public CredentialsSource source() {
        if (anonymous) {
            return CredentialsSource.anonymous();
        }
        if (profile != null) {
            return profileSource(profile);
        }
        List<CredentialsSource> chain = new ArrayList<>();
        chain.add(new EnvironmentCredentials(environment));
        chain.add(profileSource(value("AWS_PROFILE", "default")));
        CredentialsSource identity = webIdentity();
        if (identity != null) {
            chain.add(identity);
        }
        CredentialsSource container = ContainerCredentials.named(environment, trust);
        if (container != null) {
            chain.add(new RefreshingCredentials(container, clock));
        }
        return new CredentialsChain(chain);
    }

    private CredentialsSource profileSource(String name) {
        Path home = Path.of(value("HOME", "/"), ".aws");
        return new ProfileCredentials(
                Path.of(value(
                        "AWS_SHARED_CREDENTIALS_FILE",
                        home.resolve("credentials").toString())),
                Path.of(value("AWS_CONFIG_FILE", home.resolve("config").toString())),
                name,
                environment,
                clock);
    }

    private @Nullable CredentialsSource webIdentity() {
        String role = value("AWS_ROLE_ARN", "");
        String token = value("AWS_WEB_IDENTITY_TOKEN_FILE", "");
        if (role.isEmpty() || token.isEmpty()) {
            return null;
        }
        WebIdentityCredentials.Settings settings = new WebIdentityCredentials.Settings(
                tokenService(), role, Path.of(token), value("AWS_ROLE_SESSION_NAME", "s3csi"));
        return new RefreshingCredentials(new WebIdentityCredentials(settings, trust, clock), clock);
    }

    /** Stores with a token service of their own are named by the endpoint variables; otherwise it is AWS's, by region. */
    private Origin tokenService() {
        String own = value("AWS_ENDPOINT_URL_STS", "");
        if (!own.isEmpty()) {
            return Origin.of(URI.create(own));
        }
        String region = value("AWS_REGION", value("AWS_DEFAULT_REGION", "us-east-1"));
        return Origin.of(
                URI.create("https://sts." + region + ".amazonaws.com" + (region.startsWith("cn-") ? ".cn" : "")));
    }

    private String value(String name, String otherwise) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }
}
