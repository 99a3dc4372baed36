package s3csi.mounter.mount;

import s3csi.s3.StoreFailure;
import s3csi.volume.EngineTrouble;

/** What the store refused, in the words that whoever asked for the mount has for it. */
final class StoreTrouble {
    private StoreTrouble() {}

    static EngineTrouble of(StoreFailure failure) {
        return switch (failure) {
            case StoreFailure.NoSuchBucket _ -> EngineTrouble.NO_SUCH_BUCKET;
            case StoreFailure.Forbidden(var reason) ->
                switch (reason) {
                    case ACCESS_DENIED, OTHER -> EngineTrouble.ACCESS_DENIED;
                    case UNKNOWN_ACCESS_KEY, WRONG_SECRET_KEY, EXPIRED_TOKEN -> EngineTrouble.WRONG_KEYS;
                    case CLOCK_SKEW -> EngineTrouble.CLOCK_SKEW;
                };
            case StoreFailure.NoCredentials _ -> EngineTrouble.NO_CREDENTIALS;
            case StoreFailure.WrongRegion _ -> EngineTrouble.WRONG_REGION;
            case StoreFailure.Throttled _, StoreFailure.ServerError _ -> EngineTrouble.STORE_BUSY;
            case StoreFailure.Unreachable _, StoreFailure.Timeout _ -> EngineTrouble.ENDPOINT_UNREACHABLE;
            case StoreFailure.CertificateNotTrusted _ -> EngineTrouble.CERTIFICATE_NOT_TRUSTED;
            case StoreFailure.NotImplemented _, StoreFailure.Rejected _, StoreFailure.Protocol _ ->
                EngineTrouble.STORE_REFUSED;
            // None of these answers a listing; the engine's own words say more.
            case StoreFailure.NoSuchKey _,
                    StoreFailure.NoSuchUpload _,
                    StoreFailure.Archived _,
                    StoreFailure.PreconditionFailed _,
                    StoreFailure.RangeNotSatisfiable _,
                    StoreFailure.Integrity _,
                    StoreFailure.Cancelled _ -> EngineTrouble.ENGINE_FAILED;
        };
    }
}
