package s3csi.mounter.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which options go together, and which are known but not offered. */
final class OptionRules {
    private record Pair(Option first, Option second) {}

    private static final List<Pair> CONFLICTS = List.of(
            new Pair(Option.ALLOW_ROOT, Option.ALLOW_OTHER),
            new Pair(Option.PART_SIZE, Option.READ_PART_SIZE),
            new Pair(Option.PART_SIZE, Option.WRITE_PART_SIZE),
            new Pair(Option.LOG_DIRECTORY, Option.NO_LOG),
            new Pair(Option.LOG_METRICS, Option.NO_LOG),
            new Pair(Option.DEBUG, Option.NO_LOG),
            new Pair(Option.DEBUG_CRT, Option.NO_LOG));

    private static final List<Pair> NEEDS = List.of(
            new Pair(Option.SSE_KMS_KEY_ID, Option.SSE),
            new Pair(Option.OTLP_EXPORT_INTERVAL, Option.OTLP_ENDPOINT),
            new Pair(Option.MAX_CACHE_SIZE, Option.CACHE));

    /** What mount-s3 has and this program does not: why, and what to do instead. */
    static final Map<Option, String> REFUSED = Map.of(
            Option.INCREMENTAL_UPLOAD,
            "appending in place needs a directory bucket, which exists at AWS only; --allow-append lets files be written"
                    + " on that are stored as a whole when they are closed",
            Option.CACHE_XZ,
            "a shared cache needs a directory bucket, which exists at AWS only; use --cache for a cache on a local disk");

    private OptionRules() {}

    static void check(Arguments arguments) throws UsageError {
        for (Pair pair : CONFLICTS) {
            if (arguments.has(pair.first) && arguments.has(pair.second)) {
                throw new UsageError(
                        "the argument '" + pair.first.usage() + "' cannot be used with '" + pair.second.usage() + "'");
            }
        }
        List<String> missing = new ArrayList<>();
        for (Pair pair : NEEDS) {
            if (arguments.has(pair.first) && !arguments.has(pair.second)) {
                missing.add(pair.second.usage());
            }
        }
        List<String> positionals = List.of("<BUCKET_NAME>", "<DIRECTORY>");
        missing.addAll(positionals.subList(arguments.positionals().size(), positionals.size()));
        if (!missing.isEmpty()) {
            throw new UsageError(
                    "the following required arguments were not provided:\n  " + String.join("\n  ", missing));
        }
        for (Option option : arguments.options().keySet()) {
            String reason = REFUSED.get(option);
            if (reason != null) {
                throw new UsageError("'--" + option.longName + "' is not supported: " + reason);
            }
        }
    }
}
