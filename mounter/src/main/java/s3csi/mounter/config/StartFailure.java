package s3csi.mounter.config;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
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
        String said = "";
        for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
            String words = words(cause);
            // Most exceptions repeat what their cause says.
            if (!said.contains(words)) {
                text.append("    ").append(number++).append(": ").append(words).append('\n');
                said = words;
            }
        }
        return text.toString();
    }

    /** Several exceptions of the JDK name a file and leave the reason to their type. */
    private static String words(Throwable cause) {
        String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return switch (cause) {
            case NoSuchFileException e when e.getReason() == null -> message + ": no such file or directory";
            case AccessDeniedException e when e.getReason() == null -> message + ": permission denied";
            case FileAlreadyExistsException e when e.getReason() == null -> message + ": there is a file of this name";
            default -> message;
        };
    }
}
