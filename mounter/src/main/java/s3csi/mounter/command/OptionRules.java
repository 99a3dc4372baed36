package s3csi.mounter.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    private static final List<String> POSITIONALS = List.of("<BUCKET_NAME>", "<DIRECTORY>");

    private OptionRules() {}

    /** Checks a command line. */
    static void check(Arguments arguments) throws UsageError {
        check(
                arguments.options().keySet(),
                POSITIONALS.subList(arguments.positionals().size(), POSITIONALS.size()));
    }

    /**
     * Checks options.
     *
     * @param missing what should stand beside them and does not
     */
    static void check(Set<Option> given, List<String> missing) throws UsageError {
        for (Pair pair : CONFLICTS) {
            if (given.contains(pair.first) && given.contains(pair.second)) {
                throw new UsageError(
                        "the argument '" + pair.first.usage() + "' cannot be used with '" + pair.second.usage() + "'");
            }
        }
        List<String> needed = new ArrayList<>();
        for (Pair pair : NEEDS) {
            if (given.contains(pair.first) && !given.contains(pair.second)) {
                needed.add(pair.second.usage());
            }
        }
        needed.addAll(missing);
        if (!needed.isEmpty()) {
            throw new UsageError(
                    "the following required arguments were not provided:\n  " + String.join("\n  ", needed));
        }
        for (Option option : given) {
            String reason = REFUSED.get(option);
            if (reason != null) {
                throw new UsageError("'--" + option.longName + "' is not supported: " + reason);
            }
        }
    }
}
