package s3csi.kubernetes;

import org.jspecify.annotations.Nullable;

/** How far a pod has come, as its {@code status.phase} says. */
public enum PodPhase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** The node does not answer, or the API server has nothing to say yet. */
    UNKNOWN;

    public static PodPhase of(@Nullable String text) {
        return switch (text) {
            case "Pending" -> PENDING;
            case "Running" -> RUNNING;
            case "Succeeded" -> SUCCEEDED;
            case "Failed" -> FAILED;
            case null, default -> UNKNOWN;
        };
    }

    /** Whether none of its containers runs, nor ever will. */
    public boolean hasEnded() {
        return this == SUCCEEDED || this == FAILED;
    }
}
