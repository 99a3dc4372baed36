package s3csi.driver.cluster;

import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.volume.json.JsonObject;

/**
 * The objects of a list of the API server, as they are now, by their names. What is known stays known while the server is away.
 *
 * <p>The server ends every watch after some minutes, and the next goes on where it ended. It may say that this is too long ago (410): then
 * the list is read anew. A watch on which not even a bookmark comes, of which there is one a minute, is taken for dead.
 */
public final class WatchedList<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedList.class);

    /** Shorter than the server's own limit, so that an end is the usual thing and not an accident. */
    private static final int WATCH_SECONDS = 240;

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
     * @param pause after the first failure; it doubles up to the longest
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
            try {
                if (version.isEmpty()) {
                    list();
                }
                noteTrouble(null);
                pause = pace.pause;
                server.watch(
                        query("watch=1&allowWatchBookmarks=true&timeoutSeconds=" + WATCH_SECONDS + "&resourceVersion="
                                + encoded(version)),
                        pace.silence,
                        this::take);
            } catch (ApiFailure e) {
                if (!isMended(e)) {
                    noteTrouble(e.getMessage());
                    if (!rested(pause)) {
                        return;
                    }
                    pause = shorter(pause.multipliedBy(2), pace.longestPause);
                }
            } catch (RuntimeException e) {
                LOG.error("what the API server says of {} is not understood; it is asked again", path, e);
                version = "";
                noteTrouble(String.valueOf(e.getMessage()));
                if (!rested(pace.longestPause)) {
                    return;
                }
            }
        }
    }

    /** Whether it works as soon as the list is read anew, or without a selector. */
    private boolean isMended(ApiFailure failure) {
        if (failure.code() == HttpURLConnection.HTTP_GONE && !version.isEmpty()) {
            version = "";
            return true;
        }
        if (failure.code() == HttpURLConnection.HTTP_BAD_REQUEST && !fieldSelector.isEmpty()) {
            LOG.warn(
                    "the API server cannot select by {}, so this node sees all of {}: {}",
                    fieldSelector,
                    path,
                    failure.getMessage());
            fieldSelector = "";
            version = "";
            return true;
        }
        return false;
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

    private void list() throws ApiFailure {
        JsonObject answer = server.get(query(""));
        Map<String, T> listed = new LinkedHashMap<>();
        for (JsonObject item : answer.objects("items")) {
            reader.apply(item).ifPresent(value -> listed.put(nameOf(item), value));
        }
        known = Map.copyOf(listed);
        version = answer.text("metadata", "resourceVersion");
        changes.happened();
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

    private void take(JsonObject event) throws ApiFailure {
        JsonObject object = event.object("object");
        switch (event.text("type")) {
            case "ADDED", "MODIFIED" -> put(nameOf(object), reader.apply(object));
            case "DELETED" -> put(nameOf(object), Optional.empty());
            case "BOOKMARK" -> {}
            // A status, such as that the version to go on from is too old.
            default -> throw new ApiFailure(codeOf(object), "the watch ended: " + object.text("message"));
        }
        version = object.text("metadata", "resourceVersion");
    }

    private static int codeOf(JsonObject status) {
        String code = status.text("code");
        return code.matches("[1-5][0-9]{2}") ? Integer.parseInt(code) : ApiFailure.NO_ANSWER;
    }

    private void put(String name, Optional<T> value) {
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
