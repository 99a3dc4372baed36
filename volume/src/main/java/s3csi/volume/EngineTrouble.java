package s3csi.volume;

import java.util.Locale;

/** Why an engine could not mount, as far as it can tell. It crosses from the mounter to the node service as a word. */
public enum EngineTrouble {
    NO_SUCH_BUCKET,
    ACCESS_DENIED,
    WRONG_KEYS,
    NO_CREDENTIALS,
    CLOCK_SKEW,
    WRONG_REGION,
    STORE_BUSY,
    STORE_REFUSED,
    ENDPOINT_UNREACHABLE,
    CERTIFICATE_NOT_TRUSTED,
    /** The options make no sense together or have values that are none. */
    INVALID_FIELD,
    /** Anything else, and whatever an engine of another release says. */
    ENGINE_FAILED;

    /** The same word as that of the cause it stands for. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static EngineTrouble ofWord(String word) {
        for (EngineTrouble trouble : values()) {
            if (trouble.word().equals(word)) {
                return trouble;
            }
        }
        return ENGINE_FAILED;
    }
}
