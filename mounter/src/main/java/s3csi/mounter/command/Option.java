package s3csi.mounter.command;

import static s3csi.mounter.command.Section.ADVANCED;
import static s3csi.mounter.command.Section.BUCKET;
import static s3csi.mounter.command.Section.CACHING;
import static s3csi.mounter.command.Section.CLIENT;
import static s3csi.mounter.command.Section.CREDENTIALS;
import static s3csi.mounter.command.Section.GENERAL;
import static s3csi.mounter.command.Section.LOGGING;
import static s3csi.mounter.command.Section.MOUNT;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Every option of {@code mount-s3}: names and meaning are those of mount-s3 1.24, and a few are ours. */
enum Option {
    FOREGROUND(GENERAL, 'f', "foreground", "", "Stay in the foreground and log to standard output too"),
    HELP(GENERAL, 'h', "help", "", "Show the options; --help also tells defaults and details"),
    VERSION(GENERAL, 'V', "version", "", "Show the version"),

    PREFIX(
            BUCKET,
            "prefix",
            "PREFIX",
            "Show only the keys below this prefix",
            "It must end in '/' and cannot be combined with an s3:// URI. Default: the whole bucket."),
    REGION(
            BUCKET,
            "region",
            "REGION",
            "Region to sign for",
            "Default: AWS_REGION, else us-east-1, corrected once if the store names another."),
    ENDPOINT_URL(
            BUCKET,
            "endpoint-url",
            "ENDPOINT_URL",
            "Where the store is",
            "Default: AWS_ENDPOINT_URL, else AWS itself."),
    FORCE_PATH_STYLE(
            BUCKET,
            "force-path-style",
            "",
            "Put the name of the bucket into the path of requests",
            "Stores outside AWS are addressed like that anyway."),
    TRANSFER_ACCELERATION(
            BUCKET, "transfer-acceleration", "", "Use AWS's accelerate endpoint", "Not with an endpoint URL."),
    DUAL_STACK(BUCKET, "dual-stack", "", "Use AWS's endpoints with IPv6", "Not with an endpoint URL."),
    REQUESTER_PAYS(BUCKET, "requester-pays", "", "Accept to be charged for requests", ""),
    BUCKET_TYPE(
            BUCKET,
            "bucket-type",
            "BUCKET_TYPE",
            "Kind of bucket: general-purpose",
            "The other kind, directory, exists at AWS only and is not supported."),
    STORAGE_CLASS(
            BUCKET,
            "storage-class",
            "STORAGE_CLASS",
            "Storage class of new objects",
            "The store checks it, at the first upload. Default: the store's."),
    EXPECTED_BUCKET_OWNER(
            BUCKET,
            "expected-bucket-owner",
            "AWS_ACCOUNT_ID",
            "Account that must own the bucket, else every request fails",
            ""),
    SSE(
            BUCKET,
            "sse",
            "SSE",
            "Server-side encryption of new objects: aws:kms, aws:kms:dsse or AES256",
            "Default: what the bucket is set to."),
    SSE_KMS_KEY_ID(
            BUCKET,
            "sse-kms-key-id",
            "AWS_KMS_KEY_ARN",
            "Key for --sse aws:kms and aws:kms:dsse, as a full ARN",
            "Aliases and bare key ids are refused."),
    UPLOAD_CHECKSUMS(
            BUCKET,
            "upload-checksums",
            "ALGORITHM",
            "Checksum sent with uploads: crc32c, crc64nvme or off",
            "Default: crc32c. Use off for a store that refuses checksums."),
    INFER_CONTENT_TYPE(
            BUCKET,
            "infer-content-type",
            "",
            "Set the content type of new objects by the extension of their name",
            "An unknown extension leaves it to the store."),

    NO_SIGN_REQUEST(CREDENTIALS, "no-sign-request", "", "Send requests unsigned", "Wins over --profile."),
    PROFILE(
            CREDENTIALS,
            "profile",
            "PROFILE",
            "Take credentials from this profile of the shared files only",
            "Default: the first that has any: environment, profile, web identity, container."),

    READ_ONLY(MOUNT, "read-only", "", "Mount read-only", "Not with /dev/fd/N: there it belongs to the mount call."),
    ALLOW_DELETE(MOUNT, "allow-delete", "", "Let files be deleted", ""),
    ALLOW_OVERWRITE(MOUNT, "allow-overwrite", "", "Let existing files be replaced", "By opening with O_TRUNC."),
    ALLOW_APPEND(
            MOUNT,
            "allow-append",
            "",
            "Let existing files be appended to",
            "The store makes a new object of the old one and what was written, when the file is closed."),
    INCREMENTAL_UPLOAD(
            MOUNT,
            "incremental-upload",
            "",
            "Append to objects in place (not supported: directory buckets of AWS only; see --allow-append)",
            ""),
    AUTO_UNMOUNT(
            MOUNT,
            "auto-unmount",
            "",
            "Unmount when the process dies",
            "Needs the program fusermount3, which watches over it. Not with /dev/fd/N."),
    ALLOW_ROOT(MOUNT, "allow-root", "", "Let root in, beside the user who mounts", ""),
    ALLOW_OTHER(MOUNT, "allow-other", "", "Let every user in", ""),
    UID(MOUNT, "uid", "UID", "Owner of all files", "Default: who runs mount-s3."),
    GID(MOUNT, "gid", "GID", "Group of all files", "Default: the group of who runs mount-s3."),
    DIR_MODE(MOUNT, "dir-mode", "DIR_MODE", "Permissions of directories, octal", "Default: 0755."),
    FILE_MODE(MOUNT, "file-mode", "FILE_MODE", "Permissions of files, octal", "Default: 0644."),
    ATTRIBUTE_CHANGES(
            MOUNT,
            "attribute-changes",
            "refuse|ignore",
            "What chmod, chown and utimes of stored files and directories do: fail, or nothing",
            "Default: refuse. Nothing of them is ever stored."),

    MAXIMUM_THROUGHPUT_GBPS(
            CLIENT,
            "maximum-throughput-gbps",
            "N",
            "Throughput to expect of the network, in Gbit/s; sizes the pool of connections",
            "Default: 10."),
    MAX_THREADS(
            CLIENT,
            "max-threads",
            "N",
            "Most threads that read requests of the kernel",
            "Default: one for each processor, at least two. No more than four are ever used: requests that wait hold none."),
    MEMORY_TARGET(
            CLIENT,
            "memory-target",
            "MiB",
            "Memory to stay below",
            "For all of the process; at least 128. Default: the limit of the container, else 256 for data."),
    PART_SIZE(CLIENT, "part-size", "SIZE", "Bytes of a part, for reading and writing", "Default: 8388608."),
    READ_PART_SIZE(CLIENT, "read-part-size", "SIZE", "Bytes of a request for reading", "Default: 8388608."),
    WRITE_PART_SIZE(
            CLIENT,
            "write-part-size",
            "SIZE",
            "Bytes of a part of an upload",
            "Default: 8388608. The largest file is 10000 of them."),
    STORE_PATIENCE(
            CLIENT,
            "store-patience",
            "SECONDS",
            "How long requests wait for a store that is away",
            "From the start of the outage. 0 tries each request ten times, fewer when many fail. Default: 60."),
    CA_BUNDLE(
            CLIENT,
            "ca-bundle",
            "PATH",
            "Certificate authorities to trust instead of those of the system, in PEM",
            "A directory of .pem and .crt files adds to those of the system. Read again when it changes. Default: AWS_CA_BUNDLE."),
    BIND(
            CLIENT,
            "bind",
            "NETWORK_INTERFACE",
            "Network interface for connections to the store; may be repeated",
            "Connections take turns on several. Default: the routes of the system decide."),

    LOG_DIRECTORY(
            LOGGING,
            'l',
            "log-directory",
            "DIRECTORY",
            "Write a log file in this directory",
            "Default: the local syslog socket."),
    LOG_METRICS(LOGGING, "log-metrics", "", "Log metrics every 5 seconds", ""),
    METRICS_PORT(
            LOGGING,
            "metrics-port",
            "PORT",
            "Serve metrics for Prometheus on this port of all addresses, at /metrics",
            "Default: not served. 0 lets the system choose; the log tells."),
    OTLP_ENDPOINT(
            LOGGING,
            "otlp-endpoint",
            "URL",
            "Push metrics to a collector of OpenTelemetry, by OTLP over HTTP",
            "http://HOST:PORT or https://HOST:PORT; /v1/metrics is appended. Default: not pushed."),
    OTLP_EXPORT_INTERVAL(
            LOGGING, "otlp-export-interval", "SECONDS", "Time between two pushes to --otlp-endpoint", "Default: 60."),
    DEBUG(LOGGING, 'd', "debug", "", "Log details of the file system, and metrics"),
    DEBUG_CRT(LOGGING, "debug-crt", "", "Log details of the S3 client", ""),
    NO_LOG(LOGGING, "no-log", "", "Log nothing", "What is printed at the start stays."),

    CACHE(
            CACHING,
            "cache",
            "DIRECTORY",
            "Keep object data in this directory",
            "What is there stays for the next mount. Metadata is then valid for 60 seconds by default."),
    METADATA_TTL(
            CACHING,
            "metadata-ttl",
            "SECONDS|indefinite|minimal",
            "How long metadata is valid without asking the store",
            "Default: minimal, or 60 with --cache."),
    NEGATIVE_METADATA_TTL(
            CACHING,
            "negative-metadata-ttl",
            "SECONDS|indefinite|minimal",
            "The same for names that are not there",
            "Default: what --metadata-ttl is."),
    MAX_CACHE_SIZE(
            CACHING,
            "max-cache-size",
            "MiB",
            "Most space that --cache takes",
            "0 keeps no data but the longer metadata time. Default: all but 5 % of the file system, on a node 15 %."),
    CACHE_XZ(
            CACHING,
            "cache-xz",
            "BUCKET",
            "Shared cache in a bucket (not supported: directory buckets of AWS only)",
            ""),

    USER_AGENT_PREFIX(
            ADVANCED, "user-agent-prefix", "PREFIX", "Text in front of the User-Agent header of requests", "");

    private static final char NO_LETTER = 0;

    final Section section;
    final char letter;
    final String longName;
    final String valueName;
    final String summary;
    final String detail;

    Option(Section section, String longName, String valueName, String summary, String detail) {
        this(section, NO_LETTER, longName, valueName, summary, detail);
    }

    Option(Section section, char letter, String longName, String valueName, String summary) {
        this(section, letter, longName, valueName, summary, "");
    }

    Option(Section section, char letter, String longName, String valueName, String summary, String detail) {
        this.section = section;
        this.letter = letter;
        this.longName = longName;
        this.valueName = valueName;
        this.summary = summary;
        this.detail = detail;
    }

    boolean takesValue() {
        return !valueName.isEmpty();
    }

    boolean hasLetter() {
        return letter != NO_LETTER;
    }

    boolean mayRepeat() {
        return this == BIND;
    }

    /** As it stands in messages: {@code --region <REGION>}. */
    String usage() {
        return "--" + longName + (takesValue() ? " <" + valueName + ">" : "");
    }

    static Optional<Option> named(String longName) {
        return Arrays.stream(values())
                .filter(option -> option.longName.equals(longName))
                .findFirst();
    }

    static Optional<Option> ofLetter(char letter) {
        return Arrays.stream(values())
                .filter(option -> option.hasLetter() && option.letter == letter)
                .findFirst();
    }

    static List<String> longNames() {
        return Arrays.stream(values()).map(option -> option.longName).toList();
    }
}
