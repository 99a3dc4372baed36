package s3csi.volume;

import java.util.Optional;

/** Keys for a store. Never shown: the text form names only how the access key begins. */
public record StoreKeys(String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {
    private static final int SHOWN = 4;

    @Override
    public String toString() {
        return "keys " + accessKeyId.substring(0, Math.min(SHOWN, accessKeyId.length() / 2)) + "…";
    }
}
