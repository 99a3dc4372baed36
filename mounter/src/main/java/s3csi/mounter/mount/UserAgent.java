package s3csi.mounter.mount;

import java.util.StringJoiner;
import s3csi.filesystem.inode.TimeToLive;
import s3csi.mounter.config.MountConfig;

/** Who we say we are in requests: operators of stores look for it in their logs. */
final class UserAgent {
    private UserAgent() {}

    static String of(MountConfig config, String version) {
        StringJoiner text = new StringJoiner(" ");
        if (!config.store().userAgentPrefix().isEmpty()) {
            text.add(config.store().userAgentPrefix());
        }
        text.add("mount-s3/" + version);
        text.add("os/linux#" + System.getProperty("os.version"));
        text.add("md/arch#" + System.getProperty("os.arch"));
        if (config.files().permissions().readOnly()) {
            text.add("md/mp-readonly");
        }
        if (config.process().isFstab()) {
            text.add("md/mp-fstab");
        }
        text.add("md/mp-cache-ttl#" + name(config.files().caching().metadata()));
        if (!config.client().interfaces().isEmpty()) {
            text.add("md/mp-nw-interfaces#" + config.client().interfaces().size());
        }
        if (config.metrics().push() != null) {
            text.add("md/mp-otlp");
        }
        return text.toString();
    }

    private static String name(TimeToLive time) {
        return switch (time) {
            case TimeToLive.Minimal() -> "minimal";
            case TimeToLive.Indefinite() -> "indefinite";
            case TimeToLive.For(var duration) -> Long.toString(duration.toSeconds());
        };
    }
}
