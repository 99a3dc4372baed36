package s3csi.driver.cluster;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.volume.Driver;
import s3csi.volume.PodReference;
import s3csi.volume.json.Json;
import s3csi.volume.json.JsonObject;

/** Events about workloads of this node, which {@code kubectl describe pod} shows. Each is told once; one that is lost is only logged. */
public final class WorkloadEvents {
    private static final Logger LOG = LoggerFactory.getLogger(WorkloadEvents.class);

    /** What is remembered as told; more pods than a node has. */
    private static final int MOST_REMEMBERED = 10_000;

    private static final int LONGEST_MESSAGE = 1000;

    private final ApiServer server;
    private final String node;
    private final Clock clock;
    private final Map<String, Boolean> told = new ConcurrentHashMap<>();

    public WorkloadEvents(ApiServer server, String node, Clock clock) {
        this.server = server;
        this.node = node;
        this.clock = clock;
    }

    /** Something about a pod that people should mend. Does not wait for the API server. */
    public void warn(PodReference pod, String reason, String message) {
        if (told.size() >= MOST_REMEMBERED) {
            told.clear();
        }
        if (told.put(pod.uid() + reason + message, true) == null) {
            Thread.ofVirtual().name("event").start(() -> create(pod, reason, message));
        }
    }

    private void create(PodReference pod, String reason, String message) {
        try {
            server.post(
                    "/api/v1/namespaces/" + URLEncoder.encode(pod.namespace(), StandardCharsets.UTF_8) + "/events",
                    event(pod, reason, message));
        } catch (ApiFailure e) {
            LOG.warn("the pod {}/{} is not told {}: {}", pod.namespace(), pod.name(), message, e.getMessage());
        }
    }

    private JsonObject event(PodReference pod, String reason, String message) {
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("apiVersion", "v1");
        event.put("kind", "Event");
        event.put("metadata", Map.of("generateName", shortened(pod.name(), 200) + ".", "namespace", pod.namespace()));
        event.put(
                "involvedObject",
                Map.of(
                        "apiVersion", "v1",
                        "kind", "Pod",
                        "namespace", pod.namespace(),
                        "name", pod.name(),
                        "uid", pod.uid()));
        event.put("type", "Warning");
        event.put("reason", reason);
        event.put("message", shortened(message, LONGEST_MESSAGE));
        event.put("source", Map.of("component", Driver.NAME, "host", node));
        event.put("reportingComponent", Driver.NAME);
        event.put("reportingInstance", node);
        event.put("firstTimestamp", now);
        event.put("lastTimestamp", now);
        event.put("count", new Json.Other("1"));
        return new JsonObject(event);
    }

    private static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }

    /** For each of several things. */
    public void warn(PodReference pod, String reason, List<String> messages) {
        messages.forEach(message -> warn(pod, reason, message));
    }
}
