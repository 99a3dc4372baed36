package s3csi.s3.credentials;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A role to assume.
 *
 * @param seconds how long its keys are to last, as a number; null for what the service gives
 * @param region where the token service is asked; null for the environment's
 */
record Role(
        String arn,
        String sessionName,
        @Nullable String externalId,
        @Nullable String seconds,
        @Nullable String region) {
    /** What our sessions are called in the logs of a service when nobody gave them a name. */
    static final String DEFAULT_SESSION = "s3csi";

    /** The parameters that every way to assume a role has, to which the others may be added. */
    Map<String, String> parameters() {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("RoleArn", arn);
        parameters.put("RoleSessionName", sessionName);
        if (seconds != null) {
            parameters.put("DurationSeconds", seconds);
        }
        return parameters;
    }
}
