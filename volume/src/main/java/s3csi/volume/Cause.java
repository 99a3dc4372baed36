package s3csi.volume;

import java.net.URI;
import java.util.List;

/**
 * Everything that can go wrong, in a user's words.
 *
 * <p>A cause says what failed, why, and what to do. Its faces (the word in metrics and files, the reason of an Event, the gRPC
 * code) are each one switch without a default, so a new cause does not compile until every face knows it; each has a section
 * in {@code docs/troubleshooting.md}. No cause ever carries a secret.
 */
public sealed interface Cause
        permits Cause.InvalidField,
                Cause.InvalidSecret,
                Cause.NoCredentials,
                Cause.WrongKeys,
                Cause.AccessDenied,
                Cause.ClockSkew,
                Cause.NoSuchBucket,
                Cause.BucketOfAnother,
                Cause.VolumeDiffers,
                Cause.QuotaReached,
                Cause.WrongRegion,
                Cause.StoreBusy,
                Cause.EndpointUnreachable,
                Cause.CertificateNotTrusted,
                Cause.StoreRefused,
                Cause.OperationPending,
                Cause.DriverBusy,
                Cause.Stopping,
                Cause.Defect,
                NodeCause {
    /** Where an administrator finds the keys that are used for volumes without any of their own. */
    String DRIVER_KEYS =
            "the driver's credential Secret (DRIVER_CREDENTIALS_DIR), or in the AWS variables of its environment";

    /** Where people find the keys that were used for a volume. */
    static String placeOf(AuthenticationSource keys) {
        return switch (keys) {
            case SECRET -> "the Secret this volume uses";
            case DRIVER -> DRIVER_KEYS + "; this volume has no Secret of its own";
        };
    }

    String what();

    String why();

    String remedy();

    /** The three parts as one line for logs, Events and status messages. */
    default String message() {
        return what() + ": " + why() + ". " + remedy() + ".";
    }

    /** A field of the request is missing, malformed, too long or hostile. */
    record InvalidField(String field, String problem, String remedy) implements Cause {
        @Override
        public String what() {
            return "Invalid " + field;
        }

        @Override
        public String why() {
            return problem;
        }
    }

    /** The Secret that came with the request, or the driver's own, lacks keys, or they hold what no key can be. */
    record InvalidSecret(List<String> keys, AuthenticationSource of) implements Cause {
        public InvalidSecret(List<String> keys) {
            this(keys, AuthenticationSource.SECRET);
        }

        @Override
        public String what() {
            return switch (of) {
                case SECRET -> "Cannot use the Secret of the request";
                case DRIVER -> "Cannot use the driver's own keys";
            };
        }

        @Override
        public String why() {
            return "missing or invalid keys in Kubernetes Secret: " + String.join(", ", keys);
        }

        @Override
        public String remedy() {
            return switch (of) {
                case SECRET ->
                    "Set access_key_id and secret_access_key (and session_token, region where needed) without spaces or line breaks";
                case DRIVER ->
                    "Set access_key_id and secret_access_key (and session_token where needed) without spaces or line breaks in "
                            + DRIVER_KEYS;
            };
        }
    }

    /** Neither the request nor the driver has keys for the store. */
    record NoCredentials() implements Cause {
        @Override
        public String what() {
            return "Cannot sign a request to the store";
        }

        @Override
        public String why() {
            return "the request carries no Secret and the driver has no keys of its own";
        }

        @Override
        public String remedy() {
            return "Fill the driver's credential Secret, or name a provisioner Secret in the StorageClass";
        }
    }

    /** The store does not accept the keys: unknown, wrong, expired. */
    record WrongKeys(String action, String code, AuthenticationSource of) implements Cause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "the store does not accept the keys (" + code + ")";
        }

        @Override
        public String remedy() {
            return "Check the access key, the secret key and the session token in " + Cause.placeOf(of);
        }
    }

    /** The keys are right, but they may not do this. */
    record AccessDenied(String action, String permission) implements Cause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "the store denies access";
        }

        @Override
        public String remedy() {
            return "Allow " + permission + " for these keys, or use other keys";
        }
    }

    /** The clocks of the store and of this machine are too far apart for signatures. */
    record ClockSkew(String action) implements Cause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "the clocks of the store and of this node differ too much";
        }

        @Override
        public String remedy() {
            return "Synchronise both with the same time server";
        }
    }

    record NoSuchBucket(String bucket) implements Cause {
        @Override
        public String what() {
            return "Cannot use bucket " + Printable.quoted(bucket);
        }

        @Override
        public String why() {
            return "the store has no such bucket";
        }

        @Override
        public String remedy() {
            return "Check bucketName in the volume, or make the bucket";
        }
    }

    /** The name is taken by somebody else. */
    record BucketOfAnother(BucketName bucket, String evidence) implements Cause {
        @Override
        public String what() {
            return "Cannot provision bucket " + bucket;
        }

        @Override
        public String why() {
            return "it exists and is not this volume's (" + evidence + ")";
        }

        @Override
        public String remedy() {
            return "Use another bucketNamePrefix, or the keys of the account that owns it";
        }
    }

    /** The volume exists, but not as this request wants it. */
    record VolumeDiffers(BucketName bucket, String difference) implements Cause {
        @Override
        public String what() {
            return "Cannot provision bucket " + bucket + " again";
        }

        @Override
        public String why() {
            return difference;
        }

        @Override
        public String remedy() {
            return "Ask for the same volume as before, or use another name";
        }
    }

    /** A quota of the account is used up. */
    record QuotaReached(String action, String code) implements Cause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "the account has reached a limit of the store (" + code + ")";
        }

        @Override
        public String remedy() {
            return "Delete unused buckets, or raise the limit";
        }
    }

    /** The bucket lives in another region than the request was made for. */
    record WrongRegion(String action, String asked, String answer) implements Cause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "the store does not serve it in region " + Printable.quoted(asked) + " (" + answer + ")";
        }

        @Override
        public String remedy() {
            return "Set the region parameter of the StorageClass, the region key of the Secret or AWS_REGION to the store's region";
        }
    }

    /** The store answers, but cannot serve now. */
    record StoreBusy(String action, String answer) implements Cause {
        @Override
        public String what() {
            return "Cannot " + action + " now";
        }

        @Override
        public String why() {
            return "the store answered " + answer;
        }

        @Override
        public String remedy() {
            return "It will be tried again; if it goes on, look at the store's health";
        }
    }

    record EndpointUnreachable(URI endpoint, String problem) implements Cause {
        @Override
        public String what() {
            return "Cannot reach the store at " + endpoint;
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "Check that the endpoint is right and reachable from this pod; it will be tried again";
        }
    }

    record CertificateNotTrusted(URI endpoint, String problem) implements Cause {
        @Override
        public String what() {
            return "Cannot trust the store at " + endpoint;
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "Give the driver the CA that signed the store's certificate (tls.caCertConfigMap in the chart, AWS_CA_BUNDLE here)";
        }
    }

    /** The store gave an answer that nothing else here explains. */
    record StoreRefused(String action, String answer) implements Cause {
        @Override
        public String what() {
            return "Cannot " + action;
        }

        @Override
        public String why() {
            return "the store answered " + answer;
        }

        @Override
        public String remedy() {
            return "Look the answer up in the store's documentation and log";
        }
    }

    /** Another call for the same volume has not ended yet. */
    record OperationPending(String volume) implements Cause {
        @Override
        public String what() {
            return "Cannot work on volume " + Printable.quoted(volume) + " now";
        }

        @Override
        public String why() {
            return "another call for it is still running";
        }

        @Override
        public String remedy() {
            return "It will be tried again";
        }
    }

    /** The driver has more to do than it has room for. */
    record DriverBusy(String problem) implements Cause {
        @Override
        public String what() {
            return "Cannot serve the call now";
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "It will be tried again";
        }
    }

    /** The driver is being stopped. */
    record Stopping() implements Cause {
        @Override
        public String what() {
            return "Cannot finish the call";
        }

        @Override
        public String why() {
            return "the driver is being stopped";
        }

        @Override
        public String remedy() {
            return "It will be tried again when the driver is back";
        }
    }

    /** A fault of ours. */
    record Defect(String problem) implements Cause {
        @Override
        public String what() {
            return "The driver failed";
        }

        @Override
        public String why() {
            return problem;
        }

        @Override
        public String remedy() {
            return "This is a defect; please report it with the driver's log";
        }
    }
}
