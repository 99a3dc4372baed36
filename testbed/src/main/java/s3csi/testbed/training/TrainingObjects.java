package s3csi.testbed.training;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** The objects of a cluster that exists for a training run only, and who watches them. Its methods may be called by any thread. */
final class TrainingObjects {
    /** One who wants to hear of changes, as texts of the API. */
    interface Watcher {
        void changed(String event);
    }

    private final KubernetesSerialization json = new KubernetesSerialization();
    private final Map<String, Map<String, GenericKubernetesResource>> kinds = new HashMap<>();
    private final Map<String, Set<Watcher>> watchers = new HashMap<>();
    private long version;

    /** A list as the API has it. */
    synchronized String list(String plural) {
        String items = of(plural).values().stream().map(json::asJson).collect(Collectors.joining(","));
        return "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
                .formatted(version, items);
    }

    /** From now on the watcher hears of every change, and first of what has changed since a version. */
    synchronized void watch(String plural, long since, Watcher watcher) {
        of(plural).values().stream()
                .filter(object -> Long.parseLong(object.getMetadata().getResourceVersion()) > since)
                .forEach(object -> watcher.changed(event("MODIFIED", object)));
        watchers.computeIfAbsent(plural, _ -> new HashSet<>()).add(watcher);
    }

    synchronized void forget(Watcher watcher) {
        watchers.values().forEach(all -> all.remove(watcher));
    }

    synchronized int count(String plural) {
        return of(plural).size();
    }

    /** Empty text if there is none. */
    synchronized String get(String plural, String key) {
        GenericKubernetesResource found = of(plural).get(key);
        return found == null ? "" : json.asJson(found);
    }

    synchronized void add(String plural, HasMetadata object) {
        create(plural, json.asJson(object));
    }

    synchronized String create(String plural, String text) {
        GenericKubernetesResource object = json.unmarshal(text, GenericKubernetesResource.class);
        ObjectMeta metadata = object.getMetadata();
        if (metadata.getName() == null) {
            metadata.setName(metadata.getGenerateName() + version);
        }
        if (metadata.getUid() == null) {
            metadata.setUid(UUID.randomUUID().toString());
        }
        metadata.setCreationTimestamp(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return store(plural, "ADDED", object);
    }

    synchronized String replace(String plural, String text) {
        return store(plural, "MODIFIED", json.unmarshal(text, GenericKubernetesResource.class));
    }

    /** Adds annotations, which is all that the controller patches. */
    synchronized String patch(String plural, String key, String text) {
        GenericKubernetesResource object = Objects.requireNonNull(of(plural).get(key), key);
        object.getMetadata()
                .getAnnotations()
                .putAll(json.unmarshal(text, GenericKubernetesResource.class)
                        .getMetadata()
                        .getAnnotations());
        return store(plural, "MODIFIED", object);
    }

    /** What kubelet says of all pods of a namespace. */
    synchronized void everyPodBecomes(String namespace, String phase) {
        for (GenericKubernetesResource pod : new ArrayList<>(of("pods").values())) {
            if (namespace.equals(pod.getMetadata().getNamespace())) {
                pod.setAdditionalProperty("status", Map.of("phase", phase));
                String _ = store("pods", "MODIFIED", pod);
            }
        }
    }

    synchronized void delete(String plural, String key) {
        GenericKubernetesResource gone = of(plural).remove(key);
        if (gone != null) {
            version++;
            tell(plural, event("DELETED", gone));
        }
    }

    private String store(String plural, String type, GenericKubernetesResource object) {
        object.getMetadata().setResourceVersion(Long.toString(++version));
        of(plural).put(key(object.getMetadata()), object);
        tell(plural, event(type, object));
        return json.asJson(object);
    }

    private Map<String, GenericKubernetesResource> of(String plural) {
        return kinds.computeIfAbsent(plural, _ -> new TreeMap<>());
    }

    private static String key(ObjectMeta metadata) {
        return Objects.requireNonNullElse(metadata.getNamespace(), "") + "/" + metadata.getName();
    }

    private String event(String type, GenericKubernetesResource object) {
        return "{\"type\":\"%s\",\"object\":%s}".formatted(type, json.asJson(object));
    }

    private void tell(String plural, String event) {
        List.copyOf(watchers.getOrDefault(plural, Set.of())).forEach(watcher -> watcher.changed(event));
    }
}
