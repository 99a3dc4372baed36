package s3csi.driver.cluster;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.volume.Driver;
import s3csi.volume.json.JsonObject;

/**
 * Takes the taint away that keeps workloads off a node until its volumes can be mounted. Administrators put it on new nodes; it goes as
 * soon as kubelet knows the driver, and also when it comes back later.
 */
public final class StartupTaint implements AutoCloseable {
    public static final String KEY = Driver.NAME + "/agent-not-ready";

    private static final Logger LOG = LoggerFactory.getLogger(StartupTaint.class);
    private static final Duration UNTIL_NEXT_LOOK = Duration.ofMinutes(10);

    private final ApiServer server;
    private final String path;
    private final WatchedList.Pace pace;
    private String lastFailure = "";
    private final Changes changes = new Changes();
    private final WatchedList<Boolean> tainted;
    private final WatchedList<Boolean> registered;
    private final Thread thread;

    public StartupTaint(ApiServer server, String node, WatchedList.Pace pace) {
        this.server = server;
        this.pace = pace;
        this.path = "/api/v1/nodes/" + node;
        String selector = "metadata.name=" + node;
        this.tainted = new WatchedList<>(
                server,
                "/api/v1/nodes",
                selector,
                found -> isOf(node, found).map(StartupTaint::isTainted),
                changes,
                pace);
        this.registered = new WatchedList<>(
                server,
                "/apis/storage.k8s.io/v1/csinodes",
                selector,
                found -> isOf(node, found).map(StartupTaint::knowsTheDriver),
                changes,
                pace);
        this.thread = Thread.ofVirtual().name("startup taint").start(this::run);
    }

    private static Optional<JsonObject> isOf(String node, JsonObject found) {
        return Optional.of(found)
                .filter(object -> object.text("metadata", "name").equals(node));
    }

    private static boolean isTainted(JsonObject node) {
        return node.objects("spec", "taints").stream().anyMatch(StartupTaint::isOurs);
    }

    private static boolean isOurs(JsonObject taint) {
        return taint.text("key").equals(KEY);
    }

    private static boolean knowsTheDriver(JsonObject csiNode) {
        return csiNode.objects("spec", "drivers").stream()
                .anyMatch(driver -> driver.text("name").equals(Driver.NAME));
    }

    private void run() {
        try {
            Duration pause = pace.pause();
            while (true) {
                long known = changes.count();
                if (tainted.all().contains(true) && registered.all().contains(true) && !isRemoved()) {
                    Thread.sleep(pause);
                    pause = longer(pause);
                } else {
                    pause = pace.pause();
                    changes.awaitAfter(known, UNTIL_NEXT_LOOK);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the taint is not watched any more", e);
        }
    }

    private Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(pace.longestPause()) < 0 ? twice : pace.longestPause();
    }

    /** Only as long as the node is what was read: others change taints, too. */
    private boolean isRemoved() {
        try {
            JsonObject node = server.get(path);
            if (!isTainted(node)) {
                return true;
            }
            server.put(path, without(node));
            LOG.info("the taint {} is removed: volumes can be mounted on this node", KEY);
            return true;
        } catch (ApiFailure e) {
            String failure = String.valueOf(e.getMessage());
            if (e.code() != HttpURLConnection.HTTP_CONFLICT && !failure.equals(lastFailure)) {
                LOG.warn("the taint {} stays for now: {}; it is tried again and again", KEY, failure);
                lastFailure = failure;
            }
            return false;
        }
    }

    private static JsonObject without(JsonObject node) {
        List<Object> taints = new ArrayList<>();
        node.objects("spec", "taints").stream()
                .filter(taint -> !isOurs(taint))
                .forEach(taint -> taints.add(taint.members()));
        Map<String, Object> spec = new LinkedHashMap<>(node.object("spec").members());
        spec.put("taints", taints);
        Map<String, Object> changed = new LinkedHashMap<>(node.members());
        changed.put("spec", spec);
        return new JsonObject(changed);
    }

    @Override
    public void close() {
        thread.interrupt();
        tainted.close();
        registered.close();
    }
}
