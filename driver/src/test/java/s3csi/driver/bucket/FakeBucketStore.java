package s3csi.driver.bucket;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import s3csi.volume.BucketName;
import s3csi.volume.Cause;
import s3csi.volume.Region;
import s3csi.volume.VolumeFailure;

/** Buckets in memory, of one account among several. */
public final class FakeBucketStore implements BucketStore {
    public final Map<BucketName, Map<String, String>> buckets = new HashMap<>();
    public final Set<BucketName> full = new HashSet<>();
    public final Set<BucketName> ofAnother = new HashSet<>();
    public boolean hasTags = true;
    public boolean mayLook = true;
    public @Nullable Cause tagFailure;

    /** What every call fails with, if anything. */
    public @Nullable Cause failure;

    @Override
    public Sight look(BucketName bucket) {
        failIfTold();
        if (!mayLook || ofAnother.contains(bucket)) {
            return new Sight.Hidden();
        }
        Map<String, String> tags = buckets.get(bucket);
        if (tags == null) {
            return new Sight.Absent();
        }
        return new Sight.Present(hasTags ? Optional.of(tags) : Optional.empty());
    }

    @Override
    public boolean exists(BucketName bucket) {
        failIfTold();
        return buckets.containsKey(bucket);
    }

    @Override
    public Creation create(BucketName bucket, Optional<Region> location) {
        failIfTold();
        if (ofAnother.contains(bucket)) {
            return Creation.OF_ANOTHER;
        }
        return buckets.putIfAbsent(bucket, Map.of()) == null ? Creation.MADE : Creation.ALREADY_OURS;
    }

    @Override
    public void tag(BucketName bucket, Map<String, String> tags) {
        if (tagFailure != null) {
            throw new VolumeFailure(tagFailure);
        }
        buckets.put(bucket, Map.copyOf(tags));
    }

    @Override
    public boolean isEmpty(BucketName bucket) {
        return !full.contains(bucket);
    }

    @Override
    public Deletion delete(BucketName bucket) {
        failIfTold();
        if (full.contains(bucket)) {
            return Deletion.NOT_EMPTY;
        }
        return buckets.remove(bucket) == null ? Deletion.ABSENT : Deletion.DELETED;
    }

    private void failIfTold() {
        if (failure != null) {
            throw new VolumeFailure(failure);
        }
    }
}
