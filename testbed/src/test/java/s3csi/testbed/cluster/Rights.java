package s3csi.testbed.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A list of rights as a chart would have it, and what a program that has them asked for. */
public final class Rights {
    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private final ControlPlane plane;
    private final List<HasMetadata> roles;

    private Rights(ControlPlane plane, List<HasMetadata> roles) {
        this.plane = plane;
        this.roles = roles;
    }

    /** Gives {@link ControlPlane#STRANGER} the rights of a file beside this class. */
    public static Rights grant(ControlPlane plane, String file) {
        try (InputStream in = Rights.class.getResourceAsStream(file)) {
            String text = new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
            return grant(
                    plane,
                    Stream.of(text.split("(?m)^---$", -1))
                            .map(JSON::<HasMetadata>unmarshal)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** Gives {@link ControlPlane#STRANGER} the rights of these roles. */
    public static Rights grant(ControlPlane plane, List<HasMetadata> roles) {
        Rights rights = new Rights(plane, roles);
        rights.roles.forEach(rights::grant);
        return rights;
    }

    private void grant(HasMetadata role) {
        plane.client().resource(role).create();
        String name = role.getMetadata().getName();
        plane.client()
                .resource(
                        role instanceof ClusterRole
                                ? new ClusterRoleBindingBuilder()
                                        .withNewMetadata()
                                        .withName(name)
                                        .endMetadata()
                                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", name)
                                        .addNewSubject("rbac.authorization.k8s.io", "User", ControlPlane.STRANGER, null)
                                        .build()
                                : new RoleBindingBuilder()
                                        .withNewMetadata()
                                        .withName(name)
                                        .withNamespace(role.getMetadata().getNamespace())
                                        .endMetadata()
                                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                                        .addNewSubject("rbac.authorization.k8s.io", "User", ControlPlane.STRANGER, null)
                                        .build())
                .create();
    }

    public Set<String> granted() {
        Set<String> granted = new TreeSet<>();
        for (HasMetadata role : roles) {
            List<PolicyRule> rules = role instanceof ClusterRole all ? all.getRules() : ((Role) role).getRules();
            for (PolicyRule rule : rules) {
                for (String resource : rule.getResources()) {
                    rule.getVerbs()
                            .forEach(verb -> granted.add(right(
                                    verb,
                                    resource,
                                    Objects.requireNonNullElse(
                                            role.getMetadata().getNamespace(), ""))));
                }
            }
        }
        return granted;
    }

    private static String right(String verb, String resource, String namespace) {
        return verb + " " + resource + (namespace.isEmpty() ? "" : " in " + namespace);
    }

    /** What the program asked for. Questions what there is, which everybody may ask, are about no resource. */
    public Set<String> usedBy(String program) {
        Set<String> used = new TreeSet<>();
        for (String line : plane.audited()) {
            Map<?, ?> asked = JSON.unmarshal(line, Map.class);
            if (String.valueOf(asked.get("userAgent")).startsWith(program + "/")
                    && asked.get("objectRef") instanceof Map<?, ?> object
                    && object.get("resource") != null) {
                String resource = String.valueOf(object.get("resource"));
                String namespace = resource.equals("events") || object.get("namespace") == null
                        ? ""
                        : String.valueOf(object.get("namespace"));
                used.add(right(String.valueOf(asked.get("verb")), resource, namespace));
            }
        }
        return used;
    }
}
