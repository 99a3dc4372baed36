package s3csi.driver.cluster;

import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.volume.Printable;
import s3csi.volume.json.JsonObject;

/**
 * The objects of a list of the API server, as they are now, by their names. What is known stays known while the server is away.
 *
 * <p>The server ends every watch after some minutes, and the next goes on where it ended. It may say that this is too long ago (410): then
 * the list is read anew. A watch on which not even a bookmark comes, of which there is one a minute, is taken for dead. What is known
 * counts as current while a watch is open, and until the next one fails.
 */
public final class WatchedList<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedList.class);

    /** Shorter than the server's own limit, so that an end is the usual thing and not an accident. */
    private static final int WATCH_SECONDS = 240;

    /** Objects in an answer; etcd takes none that is larger than 1.5 MiB. */
    private static final int PAGE = 10;

    private final ApiServer server;
    private final String path;
    private final Function<JsonObject, Optional<T>> reader;
    private final Changes changes;
    private final Pace pace;
    private final Thread thread;

    private String fieldSelector;
    private String version = "";
    private volatile Map<String, T> known = Map.of();
    private volatile @Nullable String trouble = "the API server was not asked yet";

    /**
     * How long it waits.
     *
     * @param silence of a watch that is taken for dead
     * @param pause between two watches; it doubles up to the longest as long as none begins that lasts
     */
    public record Pace(Duration silence, Duration pause, Duration longestPause) {
        public static final Pace USUAL =
                new Pace(Duration.ofSeconds(150), Duration.ofMillis(250), Duration.ofSeconds(15));
    }

    /**
     * Watches from now on.
     *
     * @param path such as {@code /api/v1/nodes}
     * @param fieldSelector what the server shall leave out; one that does not know the field sends everything
     * @param reader of an object; empty for one of no interest
     */
    public WatchedList(
            ApiServer server,
            String path,
            String fieldSelector,
            Function<JsonObject, Optional<T>> reader,
            Changes changes,
            Pace pace) {
        this.server = server;
        this.path = path;
        this.fieldSelector = fieldSelector;
        this.reader = reader;
        this.changes = changes;
        this.pace = pace;
        this.thread = Thread.ofVirtual().name("watch " + path).start(this::run);
    }

    public List<T> all() {
        return List.copyOf(known.values());
    }

    public Optional<T> named(String name) {
        return Optional.ofNullable(known.get(name));
    }

    /** Why what is known may be old; empty if it is not. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    private void run() {
        Duration pause = pace.pause;
        while (!Thread.currentThread().isInterrupted()) {
            // A server that ends every watch at once must not be asked without a pause.
            boolean lasted = watchOnce().compareTo(pause) >= 0;
            pause = lasted ? pace.pause : pause;
            if (!rested(pause)) {
                return;
            }
            pause = lasted ? pause : shorter(pause.multipliedBy(2), pace.longestPause);
        }
    }

    /** Watches until the server ends it or something goes wrong, and says how long that was. */
    private Duration watchOnce() {
        Watch watch = new Watch();
        try {
            if (version.isEmpty()) {
                list();
            }
            server.watch(
                    query("watch=1&allowWatchBookmarks=true&timeoutSeconds=" + WATCH_SECONDS + "&resourceVersion="
                            + encoded(version)),
                    pace.silence,
                    watch);
        } catch (ApiFailure e) {
            // One that is closed has its connection cut, and nobody wants to know.
            if (!Thread.currentThread().isInterrupted()) {
                goOnAfter(e);
            }
        } catch (RuntimeException e) {
            LOG.error("what the API server says of {} is not understood; it is asked again", path, e);
            version = "";
            noteTrouble("what the API server says is not understood: " + e);
        }
        return watch.lasted();
    }

    /** What is to be done differently the next time. */
    private void goOnAfter(ApiFailure failure) {
        boolean isTooOld = failure.code() == HttpURLConnection.HTTP_GONE && !version.isEmpty();
        boolean isSelector = failure.code() == HttpURLConnection.HTTP_BAD_REQUEST && !fieldSelector.isEmpty();
        if (isSelector) {
            LOG.warn(
                    "the API server cannot select by {}, so this node sees all of {}: {}",
                    fieldSelector,
                    path,
                    failure.getMessage());
            fieldSelector = "";
        } else if (!isTooOld) {
            noteTrouble(failure.getMessage());
        }
        // Of a server that answers and refuses, the same would be refused again for ever.
        if (failure.code() != ApiFailure.NO_ANSWER && failure.code() != ApiFailure.TOO_MANY_REQUESTS) {
            version = "";
        }
    }

    private void noteTrouble(@Nullable String now) {
        String before = trouble;
        trouble = now;
        if (now != null && !now.equals(before)) {
            LOG.warn("{} is not watched now: {}; it is tried again and again", path, now);
        } else if (now == null && before != null) {
            LOG.info("{} is watched", path);
            changes.happened();
        }
    }

    /** Page by page: attachments may be large, and this process is small. What is known changes only with the last one. */
    private void list() throws ApiFailure {
        Map<String, T> listed = new LinkedHashMap<>();
        String from = "";
        JsonObject page;
        do {
            page = page(from);
            for (JsonObject item : page.objects("items")) {
                reader.apply(item).ifPresent(value -> listed.put(nameOf(item), value));
            }
            from = page.text("metadata", "continue");
        } while (!from.isEmpty());
        known = Map.copyOf(listed);
        version = page.text("metadata", "resourceVersion");
        changes.happened();
    }

    private JsonObject page(String from) throws ApiFailure {
        JsonObject answer = server.get(query("limit=" + PAGE + (from.isEmpty() ? "" : "&continue=" + encoded(from))));
        if (answer.text("metadata", "resourceVersion").isEmpty()) {
            // Whatever answered this, it does not say that there is nothing.
            throw new ApiFailure(
                    ApiFailure.NO_ANSWER,
                    "the API server at " + server.address() + " answered something else than a list");
        }
        return answer;
    }

    private String query(String more) {
        String selector = fieldSelector.isEmpty() ? "" : "fieldSelector=" + encoded(fieldSelector);
        String query = selector.isEmpty() || more.isEmpty() ? selector + more : selector + "&" + more;
        return query.isEmpty() ? path : path + "?" + query;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String nameOf(JsonObject object) {
        return object.text("metadata", "name");
    }

    /** One watch. */
    private final class Watch implements ApiServer.Watcher {
        private OptionalLong begin = OptionalLong.empty();

        @Override
        public void begin() {
            begin = OptionalLong.of(System.nanoTime());
            noteTrouble(null);
        }

        @Override
        public void take(JsonObject event) throws ApiFailure {
            JsonObject object = event.object("object");
            switch (event.text("type")) {
                case "ADDED", "MODIFIED" -> put(nameOf(object), reader.apply(object));
                case "DELETED" -> put(nameOf(object), Optional.empty());
                case "BOOKMARK" -> {}
                // A status, such as that the version to go on from is too old.
                default -> throw new ApiFailure(codeOf(object), "the watch ended: " + messageOf(object));
            }
            version = object.text("metadata", "resourceVersion");
        }

        Duration lasted() {
            return begin.isPresent() ? Duration.ofNanos(System.nanoTime() - begin.getAsLong()) : Duration.ZERO;
        }
    }

    private static int codeOf(JsonObject status) {
        String code = status.text("code");
        return code.matches("[1-5][0-9]{2}") ? Integer.parseInt(code) : HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    private static String messageOf(JsonObject status) {
        return Printable.oneLine(status.text("message"), ApiServer.LONGEST_REASON);
    }

    private void put(String name, Optional<T> value) {
        if (named(name).equals(value)) {
            return;
        }
        Map<String, T> changed = new LinkedHashMap<>(known);
        value.ifPresentOrElse(present -> changed.put(name, present), () -> changed.remove(name));
        known = Map.copyOf(changed);
        changes.happened();
    }

    private static boolean rested(Duration pause) {
        try {
            // Not all nodes of a cluster at the same moment.
            Thread.sleep(pause.multipliedBy(50L + ThreadLocalRandom.current().nextInt(100))
                    .dividedBy(100));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
