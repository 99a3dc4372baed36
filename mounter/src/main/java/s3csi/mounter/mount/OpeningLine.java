package s3csi.mounter.mount;

import java.net.URI;
import java.util.List;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.StoreConfig;
import s3csi.program.Release;

/** With what a log begins, because whoever is sent it asks that first. Keys are never in it, only where they are. */
public final class OpeningLine {
    private OpeningLine() {}

    /** Which program this is, and what it runs on. */
    public static String of(String program) {
        Release release = Release.current();
        return program + " " + release.version() + " (commit " + release.commit() + "), Java " + Runtime.version()
                + " of " + System.getProperty("java.vendor") + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch");
    }

    /** How the mount reaches its store. */
    public static String of(MountConfig config) {
        StoreConfig store = config.store();
        URI endpoint = store.endpoint();
        String region = store.region();
        return config.source() + ", endpoint " + (endpoint == null ? "AWS" : endpoint.toString()) + ", region "
                + (region == null ? StoreFactory.DEFAULT_REGION + " because none was given" : region) + ", keys from "
                + keys(store);
    }

    private static String keys(StoreConfig store) {
        try {
            return StoreFactory.credentials(store, StoreFactory.trust(store.caBundle()))
                    .toString();
        } catch (IllegalArgumentException _) {
            // Said in full when the store is made.
            return "a place that is none";
        }
    }

    /** The same for a program whose command line says all about its mount. */
    public static String of(String program, MountConfig config, List<String> arguments) {
        return of(program) + ", " + of(config) + ", started with " + arguments;
    }
}
