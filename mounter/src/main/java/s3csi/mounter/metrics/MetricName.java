package s3csi.mounter.metrics;

import static s3csi.mounter.metrics.MetricName.Kind.COUNTER;
import static s3csi.mounter.metrics.MetricName.Kind.GAUGE;
import static s3csi.mounter.metrics.MetricName.Kind.HISTOGRAM;
import static s3csi.mounter.metrics.MetricName.Stage.EXPERIMENTAL;
import static s3csi.mounter.metrics.MetricName.Stage.STABLE;
import static s3csi.mounter.metrics.MetricName.Unit.BYTES;
import static s3csi.mounter.metrics.MetricName.Unit.MICROSECONDS;
import static s3csi.mounter.metrics.MetricName.Unit.NONE;
import static s3csi.mounter.metrics.MetricName.Unit.THREADS;

import java.util.List;

/** The metrics. Names, units and labels are those of mount-s3, so that dashboards keep working. */
public enum MetricName {
    FUSE_REQUEST_LATENCY(
            HISTOGRAM,
            "fuse.request_latency",
            MICROSECONDS,
            STABLE,
            "Time from reading a request of the kernel to its answer",
            "fuse_request"),
    FUSE_REQUEST_ERRORS(
            COUNTER,
            "fuse.request_errors",
            NONE,
            STABLE,
            "Requests of the kernel answered with an error",
            "fuse_request"),
    FUSE_IO_SIZE(HISTOGRAM, "fuse.io_size", BYTES, STABLE, "Bytes of a read or write", "fuse_request"),
    S3_REQUEST_COUNT(COUNTER, "s3.request_count", NONE, STABLE, "Requests to the store, retries counted", "s3_request"),
    S3_REQUEST_ERRORS(
            COUNTER,
            "s3.request_errors",
            NONE,
            STABLE,
            "Requests to the store that failed; status 0 for no answer",
            "s3_request",
            "http_status"),
    S3_REQUEST_TOTAL_LATENCY(
            HISTOGRAM,
            "s3.request_total_latency",
            MICROSECONDS,
            STABLE,
            "Time from sending a request to the store to the end of its answer",
            "s3_request"),
    S3_REQUEST_FIRST_BYTE_LATENCY(
            HISTOGRAM,
            "s3.request_first_byte_latency",
            MICROSECONDS,
            STABLE,
            "Time from sending a request to the store to the head of its answer",
            "s3_request"),
    PROCESS_MEMORY_USAGE(GAUGE, "process.memory_usage", BYTES, STABLE, "Resident memory of the process"),

    FUSE_TOTAL_BYTES(COUNTER, "fuse.total_bytes", BYTES, EXPERIMENTAL, "Bytes read or written", "fuse_request"),
    FUSE_TOTAL_THREADS(GAUGE, "fuse.total_threads", THREADS, EXPERIMENTAL, "Threads that read requests of the kernel"),
    FUSE_HANDLER_FAILURES(
            COUNTER,
            "fuse.handler_failures",
            NONE,
            EXPERIMENTAL,
            "Requests that a fault of ours answered",
            "fuse_request"),
    S3_REQUEST_RETRIES(COUNTER, "s3.request_retries", NONE, EXPERIMENTAL, "Requests sent again", "s3_request"),
    S3_OUTAGES(COUNTER, "s3.outages", NONE, EXPERIMENTAL, "Times that the store was away and came back"),
    S3_REQUESTS_DELAYED(
            COUNTER,
            "s3.requests_delayed",
            NONE,
            EXPERIMENTAL,
            "Requests that waited for a store that was away and came back"),
    S3_INTEGRITY_ERRORS(
            COUNTER,
            "s3.integrity_errors",
            NONE,
            EXPERIMENTAL,
            "Answers whose bytes or settings were wrong",
            "s3_request"),
    FS_INODES(GAUGE, "fs.inodes", NONE, EXPERIMENTAL, "Files and directories that the kernel knows"),
    POOL_BYTES_IN_USE(GAUGE, "pool.bytes_in_use", BYTES, EXPERIMENTAL, "Memory for data that is in use or promised"),
    CACHE_TOTAL_SIZE(GAUGE, "cache.total_size", BYTES, EXPERIMENTAL, "Data kept on disk"),
    S3_CLIENT_CONNECTIONS(GAUGE, "s3.client.connections", NONE, EXPERIMENTAL, "Open connections to the store");

    /** What can be asked of it. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /** Whether the name may change; said to Prometheus in front of it, as mount-s3 does. */
    public enum Stage {
        STABLE,
        EXPERIMENTAL
    }

    /** Units, with their words in the log, at Prometheus and at OpenTelemetry, which takes them from UCUM. */
    public enum Unit {
        NONE("", "", "1"),
        BYTES("bytes", "_bytes", "By"),
        MICROSECONDS("us", "_microseconds", "us"),
        THREADS("threads", "", "1");

        public final String inLog;
        public final String suffix;
        public final String ucum;

        Unit(String inLog, String suffix, String ucum) {
            this.inLog = inLog;
            this.suffix = suffix;
            this.ucum = ucum;
        }
    }

    public final Kind kind;
    public final String dotted;
    public final Unit unit;
    public final Stage stage;
    public final String help;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    public final List<String> labels;

    MetricName(Kind kind, String dotted, Unit unit, Stage stage, String help, String... labels) {
        this.kind = kind;
        this.dotted = dotted;
        this.unit = unit;
        this.stage = stage;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** The name at Prometheus, as a collector makes it of the one that mount-s3 pushes. */
    String forPrometheus() {
        String plain = dotted.replace('.', '_');
        String name = plain + (plain.endsWith(unit.suffix) ? "" : unit.suffix) + (kind == COUNTER ? "_total" : "");
        return stage == STABLE ? name : "experimental_" + name;
    }
}
