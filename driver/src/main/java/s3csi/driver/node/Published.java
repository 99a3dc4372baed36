package s3csi.driver.node;

import java.util.Optional;

/**
 * What a target shows, as it was noted when it was published. A later publish must agree with it; options may differ, because people
 * edit them while workloads run.
 *
 * @param bucket empty text if it was not noted, as releases before did not
 * @param group empty text for none
 * @param readOnly whether the target was to be read-only; empty if that was not noted
 */
public record Published(String volume, String bucket, String group, Optional<Boolean> readOnly) {
    /** Why a volume is not what the target shows; empty if it is. */
    public Optional<String> differenceTo(VolumeMount asked) {
        if (!volume.equals(asked.volume().text())) {
            return Optional.of("another volume than " + asked.volume() + " is mounted there already");
        }
        String askedBucket = asked.attributes().bucket();
        if (!bucket.isEmpty() && !bucket.equals(askedBucket)) {
            return Optional.of(
                    "the volume is mounted there already, with bucket " + bucket + " and not " + askedBucket);
        }
        if (!group.equals(asked.groupText())) {
            return Optional.of("the volume is mounted there already, for " + words(group) + " and not for "
                    + words(asked.groupText()));
        }
        return Optional.empty();
    }

    private static String words(String group) {
        return group.isEmpty() ? "no group" : "group " + group;
    }
}
