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
 * answer was lost. Tags tell such a try from a stranger's bucket and from a volume asked for differently. Tags are best effort:
 * stores without them, or keys that may not use them, still provision; then only the owner that the store itself reports counts.
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

    /** Makes the bucket, or finds the one made before. Returns the size of the volume. */
    public long provision(Request request) {
        return switch (store.look(request.bucket)) {
            case Sight.Present present -> adopt(request, present.tags());
            case Sight.Absent _ -> make(request, true);
            // Only making it can tell a stranger's bucket from a missing one.
            case Sight.Hidden _ -> make(request, false);
        };
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

    private long make(Request request, boolean tagsAreReadable) {
        return switch (store.create(request.bucket, request.region)) {
            case MADE -> {
                LOG.info("bucket {} made for volume {}", request.bucket, request.volume.text());
                tagAsOurs(request, Map.of());
                yield request.capacity.granted();
            }
            case ALREADY_OURS -> adopt(request, tagsAreReadable ? tagsOf(request.bucket) : Optional.empty());
            case OF_ANOTHER -> throw ofAnother(request.bucket, "another account owns it");
        };
    }

    /** The bucket appeared between our look and our try to make it: look again. */
    private Optional<Map<String, String>> tagsOf(BucketName bucket) {
        return store.look(bucket) instanceof Sight.Present present ? present.tags() : Optional.empty();
    }

    private long adopt(Request request, Optional<Map<String, String>> known) {
        if (known.isEmpty()) {
            return request.capacity.granted();
        }
        Map<String, String> tags = known.get();
        if (Tags.nameAnother(tags)) {
            throw ofAnother(request.bucket, "its tags name another owner");
        }
        if (!Tags.nameUs(tags)) {
            return adoptLostTry(request, tags);
        }
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

    /** A try that was broken off between making and tagging leaves an empty bucket without our tag. */
    private long adoptLostTry(Request request, Map<String, String> tags) {
        if (!store.isEmpty(request.bucket)) {
            throw ofAnother(request.bucket, "it holds objects and does not carry this driver's tags");
        }
        LOG.info(
                "bucket {} is there from an earlier try and is used for volume {}",
                request.bucket,
                request.volume.text());
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
