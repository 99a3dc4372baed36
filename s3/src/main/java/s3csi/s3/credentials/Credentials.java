package s3csi.s3.credentials;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who we are to the store. */
public sealed interface Credentials {
    Credentials ANONYMOUS = new Anonymous();

    /** Requests go out unsigned. */
    record Anonymous() implements Credentials {}

    /**
     * A pair of keys.
     *
     * @param sessionToken null for keys that last
     * @param expiry when they stop to work; null when nobody said
     */
    record Keys(
            String accessKeyId,
            String secretAccessKey,
            @Nullable String sessionToken,
            @Nullable Instant expiry) implements Credentials {
        public Keys(String accessKeyId, String secretAccessKey) {
            this(accessKeyId, secretAccessKey, null, null);
        }

        /** Whether they no longer work at the given time. */
        public boolean isExpired(Instant now) {
            return expiry != null && !now.isBefore(expiry);
        }

        @Override
        public String toString() {
            return "keys " + accessKeyId + (sessionToken == null ? "" : " with a session token");
        }
    }
}
