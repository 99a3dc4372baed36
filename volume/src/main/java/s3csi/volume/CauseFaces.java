package s3csi.volume;

/** How a cause looks where only a word fits. */
public final class CauseFaces {
    private CauseFaces() {}

    /** In metric labels, in files that cross from one process to another, and as the section of the troubleshooting page. */
    public static String word(Cause cause) {
        return switch (cause) {
            case Cause.InvalidField _ -> "invalid-field";
            case Cause.InvalidSecret _ -> "invalid-secret";
            case Cause.NoCredentials _ -> "no-credentials";
            case Cause.WrongKeys _ -> "wrong-keys";
            case Cause.AccessDenied _ -> "access-denied";
            case Cause.ClockSkew _ -> "clock-skew";
            case Cause.NoSuchBucket _ -> "no-such-bucket";
            case Cause.BucketOfAnother _ -> "bucket-of-another";
            case Cause.VolumeDiffers _ -> "volume-differs";
            case Cause.QuotaReached _ -> "quota-reached";
            case Cause.WrongRegion _ -> "wrong-region";
            case Cause.StoreBusy _ -> "store-busy";
            case Cause.EndpointUnreachable _ -> "endpoint-unreachable";
            case Cause.CertificateNotTrusted _ -> "certificate-not-trusted";
            case Cause.StoreRefused _ -> "store-refused";
            case Cause.OperationPending _ -> "operation-pending";
            case Cause.DriverBusy _ -> "driver-busy";
            case Cause.Stopping _ -> "stopping";
            case Cause.Defect _ -> "defect";
            case NodeCause.TargetBusy _ -> "target-busy";
            case NodeCause.TargetTaken _ -> "target-taken";
            case NodeCause.TargetOfAnother _ -> "target-of-another";
            case NodeCause.NotMounted _ -> "not-mounted";
            case NodeCause.FuseMissing _ -> "fuse-missing";
            case NodeCause.NodeExhausted _ -> "node-exhausted";
            case NodeCause.MountRefused _ -> "mount-refused";
            case NodeCause.EngineMissing _ -> "engine-missing";
            case NodeCause.EngineFailed failed -> failed.trouble().word();
            case NodeCause.EngineSilent _ -> "engine-silent";
            case NodeCause.StrangerOnSocket _ -> "stranger-on-socket";
            case NodeCause.ClusterUnreachable _ -> "cluster-unreachable";
            case NodeCause.NotAssigned _ -> "not-assigned";
            case NodeCause.MountpointPodNotReady _ -> "mountpoint-pod-not-ready";
            case NodeCause.SourceUnmounted _ -> "source-unmounted";
        };
    }

    /** The reason of a Kubernetes Event: the same word as {@link #word}, written as Kubernetes writes reasons. */
    public static String eventReason(Cause cause) {
        StringBuilder reason = new StringBuilder();
        for (String part : word(cause).split("-", -1)) {
            reason.append(Character.toUpperCase(part.charAt(0))).append(part, 1, part.length());
        }
        return reason.toString();
    }
}
