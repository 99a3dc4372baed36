package s3csi.reconciler.model;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import s3csi.volume.VolumeFailure;

/** What the engine's container asks for and may use, by {@code cpu} and {@code memory}. */
public record PodResources(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    public static final PodResources NONE = new PodResources(Map.of(), Map.of());

    private static final String ATTRIBUTES = "mountpointContainerResources";

    public PodResources {
        // Sorted, so that equal pods are equal texts.
        requests = Collections.unmodifiableMap(new TreeMap<>(requests));
        limits = Collections.unmodifiableMap(new TreeMap<>(limits));
    }

    /**
     * What an administrator wants, if it makes sense.
     *
     * @throws VolumeFailure where it does not
     */
    public static PodResources checked(Map<String, Quantity> requests, Map<String, Quantity> limits) {
        requests.forEach((resource, amount) -> {
            Quantities.require("requests." + resource, amount.toString());
            Quantity limit = limits.get(resource);
            if (limit != null && Quantities.isMore(amount, limit)) {
                throw VolumeFailure.invalid(
                        "requests." + resource,
                        amount + " is more than the limit of " + limit,
                        "Raise the limit or lower the request");
            }
        });
        limits.forEach((resource, amount) -> Quantities.require("limits." + resource, amount.toString()));
        return new PodResources(requests, limits);
    }

    /** What a volume says in its attributes, and these where it says nothing. */
    PodResources under(Map<String, String> attributes) {
        Map<String, Quantity> asked = new TreeMap<>(requests);
        Map<String, Quantity> most = new TreeMap<>(limits);
        choose("Cpu", attributes, asked, most);
        choose("Memory", attributes, asked, most);
        return new PodResources(asked, most);
    }

    /** A default never contradicts what a volume says: it gives way. */
    private void choose(
            String word, Map<String, String> attributes, Map<String, Quantity> asked, Map<String, Quantity> most) {
        String resource = word.toLowerCase(Locale.ROOT);
        String requestAttribute = ATTRIBUTES + "Requests" + word;
        Optional<Quantity> ownRequest = Quantities.in(attributes, requestAttribute);
        Optional<Quantity> ownLimit = Quantities.in(attributes, ATTRIBUTES + "Limits" + word);
        if (ownRequest.isPresent() && ownLimit.isPresent() && Quantities.isMore(ownRequest.get(), ownLimit.get())) {
            throw VolumeFailure.invalid(
                    "volume_context." + requestAttribute,
                    ownRequest.get() + " is more than the limit of " + ownLimit.get(),
                    "Raise " + ATTRIBUTES + "Limits" + word + " or lower the request");
        }
        Optional<Quantity> request = ownRequest.or(() -> Optional.ofNullable(requests.get(resource))
                .map(usual -> ownLimit.filter(limit -> Quantities.isMore(usual, limit))
                        .orElse(usual)));
        Optional<Quantity> limit = ownLimit.or(() -> Optional.ofNullable(limits.get(resource))
                .map(usual ->
                        ownRequest.filter(own -> Quantities.isMore(own, usual)).orElse(usual)));
        request.ifPresent(quantity -> asked.put(resource, quantity));
        limit.ifPresent(quantity -> most.put(resource, quantity));
    }
}
