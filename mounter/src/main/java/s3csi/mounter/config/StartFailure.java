package s3csi.mounter.config;

import org.jspecify.annotations.Nullable;
import s3csi.volume.EngineTrouble;

/** The mount cannot be made. The message is for the user; causes below it tell more, each one level deeper. */
public final class StartFailure extends Exception {
    private final EngineTrouble trouble;

    public StartFailure(String message) {
        this(message, null);
    }

    public StartFailure(String message, @Nullable Throwable cause) {
        this(cause instanceof StartFailure below ? below.trouble : EngineTrouble.ENGINE_FAILED, message, cause);
    }

    /** The same for a trouble that has a name. */
    public StartFailure(EngineTrouble trouble, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.trouble = trouble;
    }

    /** What kind of trouble it is, for whoever cannot read. */
    public EngineTrouble trouble() {
        return trouble;
    }

    /** All that is printed: the outermost message, then the numbered causes. */
    public String report() {
        StringBuilder text = new StringBuilder("Error: ").append(getMessage()).append('\n');
        if (getCause() != null) {
            text.append("\nCaused by:\n");
        }
        int number = 0;
        for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
            text.append("    ").append(number++).append(": ").append(message).append('\n');
        }
        return text.toString();
    }
}
