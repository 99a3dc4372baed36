package s3csi.volume;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The attributes of a volume, as a PersistentVolume carries them from the controller to the nodes. */
public final class VolumeContext {
    public static final String DYNAMIC_PROVISIONING = "dynamicProvisioning";
    public static final String BUCKET_NAME = "bucketName";
    public static final String AUTHENTICATION_SOURCE = "authenticationSource";
    public static final String REGION = "region";

    /** Set by kubelet: the pod that wants the volume. */
    public static final String POD_UID = "csi.storage.k8s.io/pod.uid";

    public static final String POD_NAME = "csi.storage.k8s.io/pod.name";
    public static final String POD_NAMESPACE = "csi.storage.k8s.io/pod.namespace";

    /** Proxies of one volume: {@code mountpointEnv.HTTPS_PROXY}, {@code mountpointEnv.NO_PROXY}. */
    public static final String ENVIRONMENT_PREFIX = "mountpointEnv.";

    private VolumeContext() {}

    /** What a volume that this driver provisioned carries. */
    public static Map<String, String> provisioned(
            BucketName bucket, AuthenticationSource source, Optional<Region> region) {
        Map<String, String> context = new LinkedHashMap<>();
        context.put(DYNAMIC_PROVISIONING, "true");
        context.put(BUCKET_NAME, bucket.text());
        context.put(AUTHENTICATION_SOURCE, source.text());
        region.ifPresent(r -> context.put(REGION, r.text()));
        return context;
    }
}
