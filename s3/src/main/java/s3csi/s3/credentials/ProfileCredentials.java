package s3csi.s3.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys of a profile in the shared files. Their size, time and inode are looked at before every request, so that a rewritten file
 * counts at once; keys that worked stay in use while a file is missing or malformed.
 */
public final class ProfileCredentials implements CredentialsSource {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileCredentials.class);

    private final Path credentialsFile;
    private final Path configFile;
    private final String profile;
    private final Map<String, String> environment;
    private final Clock clock;
    private @Nullable State state;
    private boolean complained;

    /**
     * A profile.
     *
     * @param environment what a command that the profile names is run with
     */
    public ProfileCredentials(
            Path credentialsFile, Path configFile, String profile, Map<String, String> environment, Clock clock) {
        this.credentialsFile = credentialsFile;
        this.configFile = configFile;
        this.profile = profile;
        this.environment = Map.copyOf(environment);
        this.clock = clock;
    }

    private record State(FileStamp credentials, FileStamp config, CredentialsSource keys) {
        boolean gives(Credentials others) {
            return keys instanceof FixedKeys(var ours) && ours.equals(others);
        }
    }

    private record FixedKeys(Credentials.Keys keys) implements CredentialsSource {
        @Override
        public Credentials current() {
            return keys;
        }
    }

    @Override
    public Credentials current() throws CredentialsException {
        // Not under the lock: a command may take its time, and keys that it gave before are good meanwhile.
        return keysInFile().current();
    }

    private synchronized CredentialsSource keysInFile() throws CredentialsException {
        State known = state;
        try {
            FileStamp credentials = FileStamp.of(credentialsFile);
            FileStamp config = FileStamp.of(configFile);
            if (known == null || !known.credentials.equals(credentials) || !known.config.equals(config)) {
                known = new State(credentials, config, keys());
                state = known;
                complained = false;
            }
        } catch (IOException e) {
            CredentialsException unreadable = new CredentialsException(
                    "cannot read the credentials in " + credentialsFile + ": " + e.getMessage(), e);
            known = keepOrThrow(known, unreadable);
        } catch (CredentialsException e) {
            known = keepOrThrow(known, e);
        }
        return known.keys;
    }

    private State keepOrThrow(@Nullable State known, CredentialsException trouble) throws CredentialsException {
        if (known == null) {
            throw trouble;
        }
        if (!complained) {
            LOG.warn("{}; the keys read before stay in use", trouble.getMessage());
            complained = true;
        }
        return known;
    }

    @Override
    public synchronized void rejected(Credentials credentials) {
        State known = state;
        if (known != null) {
            known.keys.rejected(credentials);
        }
        if (known != null && known.gives(credentials)) {
            try {
                state = new State(FileStamp.of(credentialsFile), FileStamp.of(configFile), keys());
            } catch (IOException | CredentialsException e) {
                LOG.debug("the rejected keys of profile {} cannot be read again", profile, e);
            }
        }
    }

    private CredentialsSource keys() throws IOException, CredentialsException {
        Map<String, String> settings = settings();
        String id = settings.getOrDefault("aws_access_key_id", "");
        String secret = settings.getOrDefault("aws_secret_access_key", "");
        if (!id.isEmpty() && !secret.isEmpty()) {
            String token = settings.getOrDefault("aws_session_token", "");
            return new FixedKeys(new Credentials.Keys(id, secret, token.isEmpty() ? null : token, null));
        }
        String command = settings.getOrDefault("credential_process", "");
        if (!command.isEmpty()) {
            return new RefreshingCredentials(new ProcessCredentials(profile, command, environment), clock);
        }
        if (settings.containsKey("role_arn")) {
            throw new CredentialsException("profile " + profile + " assumes a role (role_arn), which is not supported;"
                    + " give it keys or a credential_process, or use AWS_ROLE_ARN with AWS_WEB_IDENTITY_TOKEN_FILE");
        }
        throw new CredentialsException("profile " + profile + " in " + credentialsFile + " has no "
                + (id.isEmpty() ? "aws_access_key_id" : "aws_secret_access_key") + "; add it");
    }

    /** Both files hold profiles; where they disagree, the credentials file wins. */
    private Map<String, String> settings() throws IOException, CredentialsException {
        Map<String, String> merged = new HashMap<>();
        boolean found = merge(configFile, merged);
        found |= merge(credentialsFile, merged);
        if (!found) {
            throw new CredentialsException(
                    "there is no profile " + profile + " in " + credentialsFile + " or " + configFile);
        }
        return merged;
    }

    private boolean merge(Path file, Map<String, String> merged) throws IOException {
        try {
            Map<String, String> section =
                    ProfileFile.parse(Files.readString(file)).section(profile);
            if (section == null) {
                return false;
            }
            merged.putAll(section);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "profile " + profile + " in " + credentialsFile;
    }
}
