package s3csi.s3.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
    private @Nullable State state;
    private boolean complained;

    public ProfileCredentials(Path credentialsFile, Path configFile, String profile) {
        this.credentialsFile = credentialsFile;
        this.configFile = configFile;
        this.profile = profile;
    }

    private record State(FileStamp credentials, FileStamp config, Credentials.Keys keys) {}

    @Override
    public synchronized Credentials current() throws CredentialsException {
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
        if (known != null && known.keys.equals(credentials)) {
            try {
                state = new State(FileStamp.of(credentialsFile), FileStamp.of(configFile), keys());
            } catch (IOException | CredentialsException e) {
                LOG.debug("the rejected keys of profile {} cannot be read again", profile, e);
            }
        }
    }

    private Credentials.Keys keys() throws IOException, CredentialsException {
        Map<String, String> settings = settings();
        String id = settings.getOrDefault("aws_access_key_id", "");
        String secret = settings.getOrDefault("aws_secret_access_key", "");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new CredentialsException("profile " + profile + " in " + credentialsFile + " has no "
                    + (id.isEmpty() ? "aws_access_key_id" : "aws_secret_access_key") + "; add it");
        }
        String token = settings.getOrDefault("aws_session_token", "");
        return new Credentials.Keys(id, secret, token.isEmpty() ? null : token, null);
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
