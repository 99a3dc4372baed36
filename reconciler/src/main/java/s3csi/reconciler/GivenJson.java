package s3csi.reconciler;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.kubernetes.Labels;
import s3csi.reconciler.model.PodResources;
import s3csi.volume.Driver;
import s3csi.volume.Printable;
import s3csi.volume.VolumeFailure;

/** What the controller is told as JSON, because a chart has it as a structure. */
final class GivenJson {
    private static final Logger LOG = LoggerFactory.getLogger(GivenJson.class);

    /** What only the controller itself writes. */
    private static final String RESERVED = Driver.NAME + "/";

    private GivenJson() {}

    /** Labels that pods can have. Others are left out with a warning: Mountpoint Pods are more important than how they are labelled. */
    static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        if (!text.isEmpty()) {
            Map<?, ?> given = read(text, Map.class, "--mountpoint-pod-labels");
            given.forEach((key, value) -> {
                String name = String.valueOf(key);
                if (name.startsWith(RESERVED)) {
                    LOG.warn("Mountpoint Pods do not get the label {}: the driver's own begin so", name);
                } else if (!Labels.canBeKey(name) || !(value instanceof String label) || !Labels.canHold(label)) {
                    LOG.warn("Mountpoint Pods do not get the label {}={}: it is not valid", name, value);
                } else {
                    labels.put(name, label);
                }
            });
        }
        return labels;
    }

    /** What a pod has under {@code resources}. */
    static PodResources resources(String text) {
        if (text.isEmpty()) {
            return PodResources.NONE;
        }
        ResourceRequirements given = read(text, ResourceRequirements.class, "--mountpoint-resources");
        Map<String, Quantity> requests = Objects.requireNonNullElse(given.getRequests(), Map.of());
        Map<String, Quantity> limits = Objects.requireNonNullElse(given.getLimits(), Map.of());
        try {
            return PodResources.checked(requests, limits);
        } catch (VolumeFailure e) {
            throw new IllegalArgumentException("--mountpoint-resources: " + e.getMessage(), e);
        }
    }

    /** Names of Secrets. */
    static List<String> names(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<?> given = read(text, List.class, "MOUNTPOINT_IMAGE_PULL_SECRETS");
        if (!given.stream().allMatch(name -> name instanceof String secret && !secret.isEmpty())) {
            throw new IllegalArgumentException(
                    "MOUNTPOINT_IMAGE_PULL_SECRETS must be a list of names, not " + Printable.quoted(text));
        }
        return given.stream().map(String::valueOf).toList();
    }

    private static <T> T read(String text, Class<T> type, String option) {
        try {
            return Objects.requireNonNull(new KubernetesSerialization(new ObjectMapper(), false).unmarshal(text, type));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    option + " is not the JSON that it should be, but " + Printable.quoted(text), e);
        }
    }
}
