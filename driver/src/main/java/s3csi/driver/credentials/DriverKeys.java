package s3csi.driver.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.Cause;
import s3csi.volume.CredentialRules;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;

/**
 * The driver's own keys: from the directory its Secret is mounted at, read again for every call, or from the environment.
 *
 * <p>A mounted Secret is swapped as a whole behind a symbolic link. The link is followed once, so that the access key and the
 * secret key always belong together.
 */
public final class DriverKeys {
    private static final List<String> FILES =
            List.of(CredentialRules.ACCESS_KEY_ID, CredentialRules.SECRET_ACCESS_KEY, CredentialRules.SESSION_TOKEN);

    private final Optional<Path> directory;
    private final Map<String, String> environment;

    public DriverKeys(Optional<Path> directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = environment;
    }

    public StoreKeys current() {
        Map<String, String> found = directory.map(DriverKeys::read).orElse(Map.of());
        if (found.isEmpty()) {
            found = fromEnvironment();
        }
        if (found.isEmpty()) {
            throw new VolumeFailure(new Cause.NoCredentials());
        }
        return CredentialRules.parse(found, AuthenticationSource.DRIVER);
    }

    /** Where the keys are now; never a key. */
    @Override
    public String toString() {
        if (directory.isPresent() && Files.exists(directory.get())) {
            return "files in " + directory.get();
        }
        return fromEnvironment().isEmpty() ? "none of the driver's own" : "environment";
    }

    private Map<String, String> fromEnvironment() {
        Map<String, String> keys = new HashMap<>();
        put(keys, CredentialRules.ACCESS_KEY_ID, environment.get("AWS_ACCESS_KEY_ID"));
        put(keys, CredentialRules.SECRET_ACCESS_KEY, environment.get("AWS_SECRET_ACCESS_KEY"));
        put(keys, CredentialRules.SESSION_TOKEN, environment.get("AWS_SESSION_TOKEN"));
        return keys;
    }

    private static Map<String, String> read(Path directory) {
        Map<String, String> keys = new HashMap<>();
        try {
            Path data = directory.resolve("..data");
            Path stable = (Files.exists(data) ? data : directory).toRealPath();
            for (String name : FILES) {
                try {
                    put(keys, name, Files.readString(stable.resolve(name)));
                } catch (NoSuchFileException e) {
                    // The token is optional; missing keys are named by whoever needs them.
                }
            }
        } catch (NoSuchFileException e) {
            // No Secret is mounted: the environment may have the keys.
        } catch (IOException e) {
            throw new VolumeFailure(
                    new Cause.InvalidSecret(
                            List.of("the files in " + directory + " cannot be read"), AuthenticationSource.DRIVER),
                    e);
        }
        return keys;
    }

    private static void put(Map<String, String> keys, String name, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            keys.put(name, value);
        }
    }
}
