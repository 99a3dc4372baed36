package s3csi.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which text can be a key. Stores differ in what their keys look like, so the rule is about safety: printable, nothing that
 * could break out of a header or a profile file, bounded.
 */
public final class CredentialRules {
    public static final String ACCESS_KEY_ID = "access_key_id";
    public static final String SECRET_ACCESS_KEY = "secret_access_key";
    public static final String SESSION_TOKEN = "session_token";
    public static final String REGION = "region";

    private static final int LONGEST_KEY = 1024;

    /** Tokens carry whole policies on some stores. */
    private static final int LONGEST_TOKEN = 16 * 1024;

    private CredentialRules() {}

    /** The keys in a Secret, or in the files a Secret is mounted as. Surrounding white space is an editor's, not the key's. */
    public static StoreKeys parse(Map<String, String> secret) {
        return parse(secret, AuthenticationSource.SECRET);
    }

    /**
     * The same for keys of either owner.
     *
     * @param of who has to correct them
     */
    public static StoreKeys parse(Map<String, String> secret, AuthenticationSource of) {
        List<String> bad = new ArrayList<>();
        String id = required(secret, ACCESS_KEY_ID, bad);
        // It stands in a header whose parts are separated by commas.
        if (id.contains(",") && !bad.contains(ACCESS_KEY_ID)) {
            bad.add(ACCESS_KEY_ID);
        }
        String key = required(secret, SECRET_ACCESS_KEY, bad);
        String token = secret.getOrDefault(SESSION_TOKEN, "").strip();
        if (!token.isEmpty() && !isSafe(token, LONGEST_TOKEN)) {
            bad.add(SESSION_TOKEN);
        }
        if (!bad.isEmpty()) {
            throw new VolumeFailure(new Cause.InvalidSecret(bad, of));
        }
        return new StoreKeys(id, key, token.isEmpty() ? Optional.empty() : Optional.of(token));
    }

    /** The region a Secret names for its keys, if it names one. What else stands there may be a key in the wrong place and is not shown. */
    public static Optional<Region> region(Map<String, String> secret) {
        String region = secret.getOrDefault(REGION, "").strip();
        if (region.isEmpty()) {
            return Optional.empty();
        }
        if (!Region.isValid(region)) {
            throw new VolumeFailure(new Cause.InvalidSecret(List.of(REGION), AuthenticationSource.SECRET));
        }
        return Optional.of(new Region(region));
    }

    private static String required(Map<String, String> secret, String name, List<String> bad) {
        String value = secret.getOrDefault(name, "").strip();
        if (value.isEmpty() || !isSafe(value, LONGEST_KEY)) {
            bad.add(name);
        }
        return value;
    }

    private static boolean isSafe(String text, int longest) {
        return text.length() <= longest && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }
}
