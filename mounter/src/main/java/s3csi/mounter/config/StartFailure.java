package s3csi.mounter.config;

import org.jspecify.annotations.Nullable;

/** The mount cannot be made. The message is for the user; causes below it tell more, each one level deeper. */
public final class StartFailure extends Exception {
    public StartFailure(String message) {
        this(message, null);
    }

    public StartFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
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
