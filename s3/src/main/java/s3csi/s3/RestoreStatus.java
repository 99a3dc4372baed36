package s3csi.s3;

import java.time.Instant;

/** Whether an archived object has been brought back for reading. */
public sealed interface RestoreStatus {
    RestoreStatus NOT_REQUESTED = new NotRequested();
    RestoreStatus IN_PROGRESS = new InProgress();

    /** Nobody asked for it, or the object is not archived at all. */
    record NotRequested() implements RestoreStatus {}

    /** Asked for, not readable yet. */
    record InProgress() implements RestoreStatus {}

    /** Readable until the given time. */
    record Restored(Instant until) implements RestoreStatus {}
}
