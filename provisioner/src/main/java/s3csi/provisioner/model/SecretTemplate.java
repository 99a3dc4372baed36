package s3csi.provisioner.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import s3csi.volume.Printable;

/**
 * Which Secret a StorageClass means for a claim. Its name and namespace may have {@code ${...}} in them, and what those may be differs: who makes a
 * claim chooses its name and annotations, and must not get at Secrets of other namespaces by them, nor choose whose keys make the bucket.
 */
public enum SecretTemplate {
    /** Whose keys make and delete the bucket. */
    PROVISIONER("provisioner"),
    /** Whose keys mount it. */
    NODE_PUBLISH("node-publish");

    private static final Pattern TOKEN = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int LONGEST_SUBDOMAIN = 253;

    private final String nameKey;
    private final String namespaceKey;

    SecretTemplate(String use) {
        nameKey = ClassParameters.RESERVED + use + "-secret-name";
        namespaceKey = ClassParameters.RESERVED + use + "-secret-namespace";
    }

    /** Who asks for the volume. */
    public record Asker(String namespace, String claim, Map<String, String> annotations) {}

    /**
     * The Secret that is meant; empty if the class names none.
     *
     * @throws Unusable if what it says cannot be the name of one
     */
    public Optional<SecretName> resolve(Map<String, String> parameters, String volume, Asker asker) {
        Optional<Pair> templates = pair(parameters, nameKey, namespaceKey)
                .or(() -> pair(parameters, ClassParameters.ANY_SECRET_NAME, ClassParameters.ANY_SECRET_NAMESPACE));
        return templates.map(pair -> {
            Map<String, String> known = new HashMap<>(Map.of("pv.name", volume, "pvc.namespace", asker.namespace()));
            String namespace = expand(pair.namespaceKey(), pair.namespace(), known);
            if (!LABEL.matcher(namespace).matches()) {
                throw notAName(pair.namespaceKey(), pair.namespace(), namespace, "a namespace");
            }
            known.put("pvc.name", asker.claim());
            if (this == NODE_PUBLISH) {
                asker.annotations().forEach((key, value) -> known.put("pvc.annotations['" + key + "']", value));
            }
            String name = expand(pair.nameKey(), pair.name(), known);
            if (name.length() > LONGEST_SUBDOMAIN || !SUBDOMAIN.matcher(name).matches()) {
                throw notAName(pair.nameKey(), pair.name(), name, "a Secret");
            }
            return new SecretName(namespace, name);
        });
    }

    private record Pair(String nameKey, String name, String namespaceKey, String namespace) {}

    private static Optional<Pair> pair(Map<String, String> parameters, String nameKey, String namespaceKey) {
        String name = parameters.get(nameKey);
        String namespace = parameters.get(namespaceKey);
        if (name == null && namespace == null) {
            return Optional.empty();
        }
        if (name == null || namespace == null || name.isEmpty() || namespace.isEmpty()) {
            throw new Unusable("the StorageClass must have both " + nameKey + " and " + namespaceKey
                    + ", or neither. Set the missing one in a StorageClass made anew");
        }
        return Optional.of(new Pair(nameKey, name, namespaceKey, namespace));
    }

    private static String expand(String key, String template, Map<String, String> known) {
        TreeSet<String> unknown = new TreeSet<>();
        String expanded = TOKEN.matcher(template).replaceAll(found -> {
            String value = known.get(found.group(1));
            if (value == null) {
                unknown.add(found.group());
            }
            return Matcher.quoteReplacement(value == null ? "" : value);
        });
        if (!unknown.isEmpty()) {
            throw new Unusable("the parameter " + key + " of the StorageClass has "
                    + Printable.oneLine(String.join(", ", unknown), 200)
                    + ", which means nothing for this claim there. Annotate the claim if an annotation is meant;"
                    + " else correct it in a StorageClass made anew");
        }
        return expanded;
    }

    private static Unusable notAName(String key, String template, String expanded, String what) {
        return new Unusable(
                "the parameter " + key + " of the StorageClass, " + Printable.quoted(template) + ", comes to "
                        + Printable.quoted(expanded) + " for this claim, which cannot be the name of " + what
                        + ". Correct it in a StorageClass made anew");
    }
}
