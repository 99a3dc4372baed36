package s3csi.driver.bucket;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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

    /** Whether the buckets of others can be read, with their tags, as a bucket policy may allow. */
    public boolean othersAreReadable;

    /** What the store answers when a bucket of this account is made again. */
    public Creation answerToRepeat = Creation.ALREADY_OURS;

    /** Whether a bucket of this account is listed. */
    public boolean listsItsOwn = true;

    /** What was asked, in order. */
    public final List<String> calls = new ArrayList<>();

    @Override
    public Sight look(BucketName bucket) {
        calls.add("look");
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
        calls.add("create");
        failIfTold();
        if (ofAnother.contains(bucket)) {
            return Creation.TAKEN;
        }
        return buckets.putIfAbsent(bucket, Map.of()) == null ? Creation.MADE : answerToRepeat;
    }

    @Override
    public boolean owns(BucketName bucket) {
        calls.add("owns");
        failIfTold();
        return listsItsOwn && buckets.containsKey(bucket) && !ofAnother.contains(bucket);
    }

    @Override
    public Optional<Map<String, String>> tags(BucketName bucket) {
        calls.add("tags");
        failIfTold();
        boolean readable = othersAreReadable || !ofAnother.contains(bucket);
        return hasTags && mayLook && readable ? Optional.ofNullable(buckets.get(bucket)) : Optional.empty();
    }

    @Override
    public void tag(BucketName bucket, Map<String, String> tags) {
        calls.add("tag");
        if (tagFailure != null) {
            throw new VolumeFailure(tagFailure);
        }
        buckets.put(bucket, Map.copyOf(tags));
    }

    @Override
    public boolean isEmpty(BucketName bucket) {
        calls.add("isEmpty");
        return !full.contains(bucket);
    }

    @Override
    public Deletion delete(BucketName bucket) {
        calls.add("delete");
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
