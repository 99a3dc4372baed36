package s3csi.driver.bucket;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import s3csi.volume.Driver;
import s3csi.volume.Region;
import s3csi.volume.VolumeName;

/** What the driver writes on a bucket, so that a later call knows whose it is and how it was asked for. */
final class Tags {
    private static final String OWNER = Driver.NAME + "/owner";
    private static final String VOLUME = Driver.NAME + "/volume-name";
    private static final String CAPACITY = Driver.NAME + "/capacity-bytes";
    private static final String REGION = Driver.NAME + "/region";

    /** S3 takes letters, digits, spaces and these in a tag's value. */
    private static final Pattern NOT_FOR_TAGS = Pattern.compile("[^A-Za-z0-9 +=._:/@-]");

    private Tags() {}

    static Map<String, String> of(VolumeName volume, long capacity, Optional<Region> region) {
        Map<String, String> tags = new HashMap<>();
        tags.put(OWNER, Driver.NAME);
        tags.put(VOLUME, NOT_FOR_TAGS.matcher(volume.text()).replaceAll("_"));
        tags.put(CAPACITY, Long.toString(capacity));
        region.ifPresent(r -> tags.put(REGION, r.text()));
        return tags;
    }

    static boolean nameUs(Map<String, String> tags) {
        return Driver.NAME.equals(tags.get(OWNER));
    }

    static boolean nameAnother(Map<String, String> tags) {
        return tags.containsKey(OWNER) && !nameUs(tags);
    }

    /** The region the volume was asked for in; empty when none was, or when somebody spoilt the tag. */
    static Optional<Region> region(Map<String, String> tags) {
        return Optional.ofNullable(tags.get(REGION)).filter(Region::isValid).map(Region::new);
    }

    /** The size the volume was made with; empty when somebody removed or spoilt the tag. */
    static Optional<Long> capacity(Map<String, String> tags) {
        try {
            return Optional.ofNullable(tags.get(CAPACITY)).map(Long::valueOf);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
