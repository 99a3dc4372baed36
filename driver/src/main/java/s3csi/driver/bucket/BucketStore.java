package s3csi.driver.bucket;

import java.util.Map;
import java.util.Optional;
import s3csi.volume.BucketName;
import s3csi.volume.Region;
import s3csi.volume.VolumeFailure;

/**
 * The buckets of one account on a store. Every call blocks, is bounded in time, and throws {@link VolumeFailure} with an honest
 * cause when the store does not do what was asked.
 */
public interface BucketStore {
    /** Looks without changing anything. */
    Sight look(BucketName bucket);

    /** Whether the bucket is there and these keys may use it. */
    boolean exists(BucketName bucket);

    Creation create(BucketName bucket, Optional<Region> location);

    /** Whether the store lists the bucket among those of this account. */
    boolean owns(BucketName bucket);

    /** The tags of a bucket that is there; empty when the store has none at all, or does not let these keys read them. */
    Optional<Map<String, String>> tags(BucketName bucket);

    /** Replaces the tags of a bucket. */
    void tag(BucketName bucket, Map<String, String> tags);

    boolean isEmpty(BucketName bucket);

    Deletion delete(BucketName bucket);

    /** What a look shows. */
    sealed interface Sight {
        record Absent() implements Sight {}

        /** Something may be there, but these keys may not look at it. */
        record Hidden() implements Sight {}

        /** It is there; the tags are empty when the store has none at all, or does not let us read them. */
        record Present(Optional<Map<String, String>> tags) implements Sight {}
    }

    enum Creation {
        /** It is there now, and of this account. Some stores say so of a bucket that was there before, too. */
        MADE,
        ALREADY_OURS,
        /** It was there before; whose it is the store does not say. */
        TAKEN
    }

    enum Deletion {
        DELETED,
        ABSENT,
        NOT_EMPTY
    }
}
