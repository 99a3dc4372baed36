package s3csi.s3.credentials;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys of a profile in the shared files. Their size, time and inode are looked at before every request, so that a rewritten file
 * counts at once; keys that worked stay in use while a file is missing or malformed, and those of a role until they end.
 */
final class ProfileCredentials implements CredentialsSource {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileCredentials.class);

    private final Path credentialsFile;
    private final Path configFile;
    private final String profile;
    private final TokenServices services;
    private @Nullable State state;
    private boolean complained;

    /**
     * A profile.
     *
     * @param services for roles; and their environment is what a command that the profile names is run with
     */
    ProfileCredentials(Path credentialsFile, Path configFile, String profile, TokenServices services) {
        this.credentialsFile = credentialsFile;
        this.configFile = configFile;
        this.profile = profile;
        this.services = services;
    }

    private record State(FileStamp credentials, FileStamp config, ProfileKeys keys, CredentialsSource source) {
        boolean isOf(FileStamp otherCredentials, FileStamp otherConfig) {
            return credentials.equals(otherCredentials) && config.equals(otherConfig);
        }
    }

    @Override
    public Credentials current() throws CredentialsException {
        return current(null);
    }

    @Override
    public Credentials current(@Nullable Duration within) throws CredentialsException {
        // Not under the lock: a command or a token service may take its time, and keys that it gave before are good
        // meanwhile.
        return sourceInFiles().current(within);
    }

    private synchronized CredentialsSource sourceInFiles() throws CredentialsException {
        State known = state;
        try {
            FileStamp credentials = FileStamp.of(credentialsFile);
            FileStamp config = FileStamp.of(configFile);
            if (known == null || !known.isOf(credentials, config)) {
                known = readAgain(known, credentials, config);
                complained = false;
            }
        } catch (IOException e) {
            CredentialsException unreadable = new CredentialsException(
                    "cannot read the credentials in " + credentialsFile + ": " + e.getMessage(), e);
            known = keepOrThrow(known, unreadable);
        } catch (CredentialsException e) {
            known = keepOrThrow(known, e);
        }
        return known.source;
    }

    private State readAgain(@Nullable State known, FileStamp credentials, FileStamp config)
            throws IOException, CredentialsException {
        String session = services.value("AWS_ROLE_SESSION_NAME", Role.DEFAULT_SESSION);
        ProfileKeys keys = Profiles.read(credentialsFile, configFile, session).keysOf(profile);
        // A file that says the same as before, as rewritten files mostly do, is no reason to ask for keys again.
        CredentialsSource source = known != null && known.keys.equals(keys)
                ? known.source
                : source(
                        keys,
                        known != null && known.source instanceof RefreshingCredentials old ? old.passing() : null);
        State fresh = new State(credentials, config, keys, source);
        state = fresh;
        return fresh;
    }

    private CredentialsSource source(ProfileKeys keys, @Nullable Credentials former) throws CredentialsException {
        return switch (keys) {
            case ProfileKeys.Fixed(Credentials.Keys fixed) -> CredentialsSource.fixed(fixed);
            case ProfileKeys.OfEnvironment() -> new EnvironmentCredentials(services.environment());
            case ProfileKeys.Command(String owner, String command) ->
                refreshing(new ProcessCredentials(owner, command, services.environment()), former);
            case ProfileKeys.OfRole(Role role, ProfileKeys signer) ->
                refreshing(new AssumedRoleCredentials(role, source(signer, null), services), former);
            case ProfileKeys.OfWebIdentity(Role role, Path tokenFile) ->
                refreshing(new WebIdentityCredentials(role, tokenFile, services), former);
        };
    }

    private CredentialsSource refreshing(CredentialsSource source, @Nullable Credentials former) {
        return new RefreshingCredentials(source, services.clock(), former);
    }

    @Override
    public boolean isOffered() {
        try {
            sourceInFiles();
            return true;
        } catch (CredentialsException _) {
            return false;
        }
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
    public void rejected(Credentials credentials) {
        State known = readAgainIfKnown();
        if (known != null) {
            known.source.rejected(credentials);
        }
    }

    @Override
    public void suspected(Credentials credentials) {
        State known = known();
        if (known != null) {
            known.source.suspected(credentials);
        }
    }

    private synchronized @Nullable State known() {
        return state;
    }

    /** Whatever their stamps say: a file system may have coarse ones. */
    private synchronized @Nullable State readAgainIfKnown() {
        State known = state;
        if (known != null) {
            try {
                return readAgain(known, FileStamp.of(credentialsFile), FileStamp.of(configFile));
            } catch (IOException | CredentialsException e) {
                LOG.debug("the rejected keys of profile {} cannot be read again", profile, e);
            }
        }
        return known;
    }

    @Override
    public String toString() {
        return "profile " + profile + " in " + credentialsFile;
    }
}
