package s3csi.s3.credentials;

import java.util.Map;

/** Keys in an environment; they never change. */
public final class EnvironmentCredentials implements CredentialsSource {
    private static final String ID = "AWS_ACCESS_KEY_ID";
    private static final String SECRET = "AWS_SECRET_ACCESS_KEY";

    private final Map<String, String> environment;

    public EnvironmentCredentials(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Credentials current() throws CredentialsException {
        if (!isOffered()) {
            throw new CredentialsException("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set");
        }
        String token = value("AWS_SESSION_TOKEN");
        return new Credentials.Keys(value(ID), value(SECRET), token.isEmpty() ? null : token, null);
    }

    @Override
    public boolean isOffered() {
        return !value(ID).isEmpty() && !value(SECRET).isEmpty();
    }

    private String value(String name) {
        return environment.getOrDefault(name, "");
    }

    @Override
    public String toString() {
        return "the environment";
    }
}
