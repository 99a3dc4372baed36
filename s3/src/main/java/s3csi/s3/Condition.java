package s3csi.s3;

/** What must hold for a write to take effect; otherwise it fails with {@link StoreFailure.PreconditionFailed}. */
public sealed interface Condition {
    Condition NONE = new None();
    Condition ABSENT = new Absent();

    /** Write in any case. */
    record None() implements Condition {}

    /** Only if no object has the key ({@code If-None-Match: *}). */
    record Absent() implements Condition {}

    /** Only if the object still has this version ({@code If-Match}). */
    record Matches(ETag etag) implements Condition {}
}
