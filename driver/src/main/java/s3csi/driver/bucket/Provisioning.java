package s3csi.driver.bucket;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.bucket.BucketStore.Sight;
import s3csi.volume.BucketName;
import s3csi.volume.CapacityRange;
import s3csi.volume.Cause;
import s3csi.volume.Region;
import s3csi.volume.VolumeFailure;
import s3csi.volume.VolumeName;

/**
 * Whose bucket is whose.
 *
 * <p>The name of a bucket is made from the volume's name, so a bucket that is already there is normally an earlier try whose
 * answer was lost. Whether it is of this account, only the store can say. Tags, and what is in it, then tell a try of ours from what
 * the account uses for something else, and from a volume asked for differently. Tags are best effort: stores without them, or keys
 * that may not use them, still provision; then only the owner that the store itself reports counts.
 */
public final class Provisioning {
    private static final Logger LOG = LoggerFactory.getLogger(Provisioning.class);

    private final BucketStore store;
    private final BucketMetrics metrics;

    public Provisioning(BucketStore store, BucketMetrics metrics) {
        this.store = store;
        this.metrics = metrics;
    }

    /** What is asked for. */
    public record Request(BucketName bucket, VolumeName volume, CapacityRange capacity, Optional<Region> region) {
        private Map<String, String> tags() {
            return Tags.of(volume, capacity.granted(), region);
        }
    }

    /**
     * Makes the bucket, or finds the one made before. Returns the size of the volume.
     *
     * <p>Making comes first, because the store's answer is the only word on whose the bucket is: what can be seen of one, its tags above
     * all, may be of anybody's making. A bucket that is there now may have been there before, because some stores answer with success
     * where the bucket is one's own already; so it is looked at in any case, and never deleted here.
     */
    public long provision(Request request) {
        BucketName bucket = request.bucket;
        switch (store.create(bucket, request.region)) {
            case MADE, ALREADY_OURS -> {}
            case TAKEN -> {
                if (!store.owns(bucket)) {
                    throw ofAnother(bucket, "another account owns it");
                }
            }
        }
        return use(request, store.tags(bucket));
    }

    /** Deletes the bucket if it is ours and empty; a bucket that holds data or names another owner is kept. */
    public void remove(BucketName bucket) {
        Sight sight = store.look(bucket);
        if (sight instanceof Sight.Absent) {
            return;
        }
        if (sight instanceof Sight.Present present
                && present.tags().map(Tags::nameAnother).orElse(false)) {
            LOG.warn("bucket {} is kept: its tags name another owner than this driver", bucket);
            metrics.kept(BucketMetrics.Kept.OF_ANOTHER);
            return;
        }
        switch (store.delete(bucket)) {
            case DELETED -> LOG.info("bucket {} deleted", bucket);
            case ABSENT -> LOG.info("bucket {} was already gone", bucket);
            case NOT_EMPTY -> {
                LOG.warn(
                        "bucket {} is kept: it is not empty. Its volume is gone; delete it by hand when the data is not needed",
                        bucket);
                metrics.kept(BucketMetrics.Kept.NOT_EMPTY);
            }
        }
    }

    /** Takes a bucket of this account for the volume, unless it is for something else. */
    private long use(Request request, Optional<Map<String, String>> known) {
        if (known.isEmpty()) {
            LOG.info("bucket {} is used for volume {}, without tags", request.bucket, request.volume.text());
            return request.capacity.granted();
        }
        Map<String, String> tags = known.get();
        if (Tags.nameAnother(tags)) {
            throw ofAnother(request.bucket, "its tags name another owner");
        }
        return Tags.nameUs(tags) ? useAgain(request, tags) : useUntagged(request, tags);
    }

    private static long useAgain(Request request, Map<String, String> tags) {
        if (!Tags.region(tags).equals(request.region)) {
            throw differs(
                    request.bucket,
                    "it was made for region "
                            + Tags.region(tags).map(Region::text).orElse("of the driver") + ", now asked for is region "
                            + request.region.map(Region::text).orElse("of the driver"));
        }
        long capacity = Tags.capacity(tags).orElse(request.capacity.granted());
        if (!request.capacity.admits(capacity)) {
            throw differs(
                    request.bucket, "it was made with " + capacity + " bytes, which is not what is asked for now");
        }
        return capacity;
    }

    /** It was made just now, or by a try that was broken off between making and tagging; either way it is empty. */
    private long useUntagged(Request request, Map<String, String> tags) {
        if (!store.isEmpty(request.bucket)) {
            throw ofAnother(request.bucket, "it holds objects and does not carry this driver's tags");
        }
        LOG.info("bucket {} is there for volume {}", request.bucket, request.volume.text());
        tagAsOurs(request, tags);
        return request.capacity.granted();
    }

    private void tagAsOurs(Request request, Map<String, String> others) {
        Map<String, String> tags = new HashMap<>(others);
        tags.putAll(request.tags());
        try {
            store.tag(request.bucket, tags);
        } catch (VolumeFailure failure) {
            LOG.warn("bucket {} stays without tags: {}", request.bucket, failure.getMessage());
        }
    }

    private static VolumeFailure ofAnother(BucketName bucket, String evidence) {
        return new VolumeFailure(new Cause.BucketOfAnother(bucket, evidence));
    }

    private static VolumeFailure differs(BucketName bucket, String difference) {
        return new VolumeFailure(new Cause.VolumeDiffers(bucket, difference));
    }
}
