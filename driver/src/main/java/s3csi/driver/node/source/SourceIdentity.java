package s3csi.driver.node.source;

import java.util.List;
import java.util.Optional;
import s3csi.driver.node.Published;
import s3csi.driver.node.VolumeMount;
import s3csi.volume.AuthenticationSource;

/**
 * What a source was mounted for, as it stands on disk next to it.
 *
 * @param group empty text for none
 */
public record SourceIdentity(String volume, String bucket, String group, KeyKind keys) {
    /** Whose keys an engine works with. It stays as long as the source does; the keys themselves rotate. */
    public enum KeyKind {
        DRIVER,
        SECRET,
        /** The bucket is for everybody. */
        NONE
    }

    public static SourceIdentity of(VolumeMount mount) {
        return new SourceIdentity(mount.volume().text(), mount.attributes().bucket(), mount.groupText(), kindOf(mount));
    }

    private static KeyKind kindOf(VolumeMount mount) {
        if (mount.keys().isEmpty()) {
            return KeyKind.NONE;
        }
        return mount.source() == AuthenticationSource.SECRET ? KeyKind.SECRET : KeyKind.DRIVER;
    }

    /** None of its parts can hold a line break. */
    public String text() {
        return String.join("\n", volume, bucket, group, keys.name());
    }

    /** Empty if it is no text of ours. */
    public static Optional<SourceIdentity> parse(String text) {
        List<String> lines = List.of(text.split("\n", -1));
        if (lines.size() != 4) {
            return Optional.empty();
        }
        for (KeyKind kind : KeyKind.values()) {
            if (kind.name().equals(lines.get(3))) {
                return Optional.of(new SourceIdentity(lines.get(0), lines.get(1), lines.get(2), kind));
            }
        }
        return Optional.empty();
    }

    /** The same for one of its targets. */
    public Published published(Optional<Boolean> readOnly) {
        return new Published(volume, bucket, group, readOnly);
    }
}
