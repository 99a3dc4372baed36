package s3csi.driver.grpc;

import io.grpc.Status;
import s3csi.volume.Cause;
import s3csi.volume.EngineTrouble;
import s3csi.volume.NodeCause;
import s3csi.volume.VolumeFailure;

/** The one place where a cause becomes a gRPC status. */
public final class StatusCodes {
    private StatusCodes() {}

    /** The failure travels along as the status' cause, which stays on this side of the wire: logs and metrics look at it. */
    public static Status statusOf(VolumeFailure failure) {
        return codeOf(failure.reason())
                .toStatus()
                .withDescription(failure.reason().message())
                .withCause(failure);
    }

    static Status.Code codeOf(Cause cause) {
        return switch (cause) {
            case Cause.InvalidField _, Cause.InvalidSecret _, Cause.WrongRegion _ -> Status.Code.INVALID_ARGUMENT;
            case Cause.NoCredentials _, Cause.WrongKeys _ -> Status.Code.UNAUTHENTICATED;
            case Cause.AccessDenied _ -> Status.Code.PERMISSION_DENIED;
            case Cause.NoSuchBucket _ -> Status.Code.NOT_FOUND;
            case Cause.BucketOfAnother _, Cause.VolumeDiffers _ -> Status.Code.ALREADY_EXISTS;
            case Cause.QuotaReached _ -> Status.Code.RESOURCE_EXHAUSTED;
            // The sidecars repeat these without giving the volume up.
            case Cause.StoreBusy _, Cause.EndpointUnreachable _, Cause.DriverBusy _, Cause.Stopping _ ->
                Status.Code.UNAVAILABLE;
            case Cause.CertificateNotTrusted _, Cause.ClockSkew _ -> Status.Code.FAILED_PRECONDITION;
            case Cause.OperationPending _ -> Status.Code.ABORTED;
            case Cause.StoreRefused _, Cause.Defect _ -> Status.Code.INTERNAL;
            case NodeCause.TargetBusy _, NodeCause.EngineSilent _ -> Status.Code.UNAVAILABLE;
            case NodeCause.ClusterUnreachable _, NodeCause.NotAssigned _, NodeCause.MountpointPodNotReady _ ->
                Status.Code.UNAVAILABLE;
            case NodeCause.TargetTaken _ -> Status.Code.ALREADY_EXISTS;
            case NodeCause.NotMounted _, NodeCause.TargetOfAnother _ -> Status.Code.NOT_FOUND;
            case NodeCause.NodeExhausted _ -> Status.Code.RESOURCE_EXHAUSTED;
            case NodeCause.FuseMissing _, NodeCause.EngineMissing _ -> Status.Code.FAILED_PRECONDITION;
            case NodeCause.SourceUnmounted _ -> Status.Code.UNAVAILABLE;
            case NodeCause.MountRefused _, NodeCause.StrangerOnSocket _ -> Status.Code.INTERNAL;
            case NodeCause.EngineFailed failed -> codeOf(failed.trouble());
        };
    }

    /** The same codes as for the causes of these names, which the driver finds out itself. */
    private static Status.Code codeOf(EngineTrouble trouble) {
        return switch (trouble) {
            case NO_SUCH_BUCKET -> Status.Code.NOT_FOUND;
            case ACCESS_DENIED -> Status.Code.PERMISSION_DENIED;
            case WRONG_KEYS, NO_CREDENTIALS -> Status.Code.UNAUTHENTICATED;
            case WRONG_REGION, INVALID_FIELD -> Status.Code.INVALID_ARGUMENT;
            case STORE_BUSY, ENDPOINT_UNREACHABLE -> Status.Code.UNAVAILABLE;
            case CERTIFICATE_NOT_TRUSTED, CLOCK_SKEW -> Status.Code.FAILED_PRECONDITION;
            case STORE_REFUSED, ENGINE_FAILED -> Status.Code.INTERNAL;
        };
    }
}
