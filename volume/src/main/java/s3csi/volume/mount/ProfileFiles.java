package s3csi.volume.mount;

import java.util.Map;
import java.util.regex.Pattern;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeId;

/**
 * Keys as the two files of an AWS profile, which an engine reads again whenever it needs keys. They belong to one engine, not to one
 * workload: all that share the engine refresh the same files.
 *
 * @param profile its name
 */
public record ProfileFiles(String profile) {
    public static final String CONFIG_SUFFIX = "-config";
    public static final String CREDENTIALS_SUFFIX = "-credentials";

    private static final String SUFFIX = "s3-csi";
    /** What can stand in a section's name and in a file's name without a meaning of its own. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._~:@+-]{1,150}");

    /**
     * The profile of one engine on one volume.
     *
     * @param engine what names the engine: the UID of its pod, or the name of its source
     */
    public static ProfileFiles of(String engine, VolumeId volume) {
        return new ProfileFiles(part(engine) + "-" + part(volume.text()) + "-" + SUFFIX);
    }

    /** The profile that releases 1.x and 2.x made for a workload. */
    public static ProfileFiles ofWorkload(String podUid, VolumeId volume) {
        return new ProfileFiles(podUid + "-" + volume.text().replace('/', '~') + "-" + SUFFIX);
    }

    /** Ids may hold anything printable; a bracket would end the section, and a file's name has at most 255 bytes. */
    private static String part(String text) {
        String escaped = text.replace('/', '~');
        return PLAIN.matcher(escaped).matches() ? escaped : Names.hash(text);
    }

    public String configFile() {
        return profile + CONFIG_SUFFIX;
    }

    public String credentialsFile() {
        return profile + CREDENTIALS_SUFFIX;
    }

    public String config() {
        return "[profile " + profile + "]\n";
    }

    public String credentials(StoreKeys keys) {
        return "[" + profile + "]\naws_access_key_id=" + keys.accessKeyId() + "\naws_secret_access_key="
                + keys.secretAccessKey() + "\n"
                + keys.sessionToken()
                        .map(token -> "aws_session_token=" + token + "\n")
                        .orElse("");
    }

    /** What tells the engine where they are.
     *
     * @param directory as the engine sees it
     */
    public Map<String, String> environment(String directory) {
        return Map.of(
                "AWS_PROFILE", profile,
                "AWS_CONFIG_FILE", directory + "/" + configFile(),
                "AWS_SHARED_CREDENTIALS_FILE", directory + "/" + credentialsFile());
    }
}
