package s3csi.s3.credentials;

import java.util.Map;

/** Keys in an environment; they never change. */
public final class EnvironmentCredentials implements CredentialsSource {
    private final Map<String, String> environment;

    public EnvironmentCredentials(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Credentials current() throws CredentialsException {
        String id = environment.getOrDefault("AWS_ACCESS_KEY_ID", "");
        String secret = environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new CredentialsException("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set");
        }
        String token = environment.getOrDefault("AWS_SESSION_TOKEN", "");
        return new Credentials.Keys(id, secret, token.isEmpty() ? null : token, null);
    }

    @Override
    public String toString() {
        return "environment";
    }
}
