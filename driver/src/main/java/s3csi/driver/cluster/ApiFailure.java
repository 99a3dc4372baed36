package s3csi.driver.cluster;

import java.io.IOException;

/** The API server did not answer, or refused. */
public final class ApiFailure extends IOException {
    private static final long serialVersionUID = 1L;

    /** It never answered. */
    static final int NO_ANSWER = 0;

    static final int TOO_MANY_REQUESTS = 429;

    private final int code;

    ApiFailure(int code, String message) {
        super(message);
        this.code = code;
    }

    ApiFailure(String message, IOException cause) {
        super(message, cause);
        this.code = NO_ANSWER;
    }

    /** The status of its answer; 0 if there was none. */
    public int code() {
        return code;
    }
}
