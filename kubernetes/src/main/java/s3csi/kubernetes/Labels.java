package s3csi.kubernetes;

import java.util.regex.Pattern;
import s3csi.volume.Driver;

/** The labels of Mountpoint Pods and attachments. */
public final class Labels {
    /** Which release of the engine a Mountpoint Pod runs. */
    public static final String MOUNTPOINT_VERSION = Driver.NAME + "/mountpoint-version";

    /** The workload that a Mountpoint Pod was made for; others may have joined it. */
    public static final String POD_UID = Driver.NAME + "/pod-uid";

    /** The PersistentVolume, where its name can be the value of a label; {@link Annotations#VOLUME_NAME} has it in any case. */
    public static final String VOLUME_NAME = Driver.NAME + "/volume-name";

    /** The release of the controller that made the object. A Mountpoint Pod of another release takes no new workloads. */
    public static final String DRIVER_VERSION = Driver.NAME + "/mounted-by-csi-driver-version";

    /** 63 characters at most. Names of objects may have 253, volume ids even slashes. */
    private static final Pattern VALUE = Pattern.compile("|[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    /** A name as a value has it but for its length, behind the name of a domain or not. */
    private static final Pattern KEY = Pattern.compile(
            "([a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    private static final int LONGEST_DOMAIN = 253;

    private Labels() {}

    /** Whether the API server takes the text as the key of a label. */
    public static boolean canBeKey(String text) {
        return text.indexOf('/') <= LONGEST_DOMAIN && KEY.matcher(text).matches();
    }

    /** Whether the API server takes the text as the value of a label. */
    public static boolean canHold(String text) {
        return VALUE.matcher(text).matches();
    }
}
