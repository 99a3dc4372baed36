package s3csi.provisioner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static s3csi.provisioner.model.SecretTemplate.NODE_PUBLISH;
import static s3csi.provisioner.model.SecretTemplate.PROVISIONER;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretTemplateTest {
    private static final String PREFIX = "csi.storage.k8s.io/";

    private static Optional<SecretName> resolve(SecretTemplate use, Map<String, String> parameters) {
        return use.resolve(
                parameters,
                "pvc-1",
                new SecretTemplate.Asker("team", "data", Map.of("tenant", "blue", "odd", "No Name")));
    }

    private static Map<String, String> named(SecretTemplate use, String name, String namespace) {
        String prefix = PREFIX + (use == PROVISIONER ? "provisioner" : "node-publish");
        return Map.of(prefix + "-secret-name", name, prefix + "-secret-namespace", namespace);
    }

    @ParameterizedTest
    @CsvSource({
        "PROVISIONER, keys, admin, admin/keys",
        "PROVISIONER, ${pvc.name}, ${pvc.namespace}, team/data",
        "PROVISIONER, s3.${pvc.namespace}-${pvc.name}.${pv.name}, ns-${pv.name}, ns-pvc-1/s3.team-data.pvc-1",
        "NODE_PUBLISH, ${pvc.annotations['tenant']}-keys, ${pvc.namespace}, team/blue-keys",
        "NODE_PUBLISH, ${pv.name}, ${pv.name}, pvc-1/pvc-1",
    })
    void namesAreMadeForEachClaim(SecretTemplate use, String name, String namespace, String expected) {
        assertThat(resolve(use, named(use, name, namespace)).map(SecretName::toString))
                .hasValue(expected);
    }

    /** Whoever makes a claim chooses its name and annotations. */
    @ParameterizedTest
    @CsvSource({
        "PROVISIONER, keys, ${pvc.name}, ${pvc.name}",
        "NODE_PUBLISH, keys, ${pvc.name}, ${pvc.name}",
        "NODE_PUBLISH, keys, ${pvc.annotations['tenant']}, ${pvc.annotations['tenant']}",
        "PROVISIONER, ${pvc.annotations['tenant']}, admin, ${pvc.annotations['tenant']}",
        "NODE_PUBLISH, ${pvc.annotations['none']}, admin, ${pvc.annotations['none']}",
        "NODE_PUBLISH, ${pvc.uid}, admin, ${pvc.uid}",
        "PROVISIONER, ${}, admin, ${}",
    })
    void whatMeansNothingThereIsNamed(SecretTemplate use, String name, String namespace, String token) {
        assertThatThrownBy(() -> resolve(use, named(use, name, namespace)))
                .isInstanceOf(Unusable.class)
                .hasMessageContaining(token)
                .hasMessageContaining(PREFIX);
    }

    @ParameterizedTest
    @CsvSource({
        "Keys, admin, a Secret",
        "keys, Admin, a namespace",
        "keys, a.b, a namespace",
        "$keys, admin, a Secret",
        "${pvc.annotations['odd']}, admin, a Secret",
        "${, admin, a Secret",
    })
    void whatCannotBeANameIsRefused(String name, String namespace, String what) {
        assertThatThrownBy(() -> resolve(NODE_PUBLISH, named(NODE_PUBLISH, name, namespace)))
                .isInstanceOf(Unusable.class)
                .hasMessageContaining("cannot be the name of " + what);
    }

    @Test
    void aClassWithoutSecretsMeansNone() {
        assertThat(resolve(PROVISIONER, Map.of("bucketNamePrefix", "x"))).isEmpty();
        assertThat(resolve(PROVISIONER, named(NODE_PUBLISH, "keys", "admin"))).isEmpty();
    }

    @Test
    void oneSecretCanServeEveryUseThatHasNoneOfItsOwn() {
        Map<String, String> parameters = new HashMap<>(named(NODE_PUBLISH, "own", "admin"));
        parameters.put(PREFIX + "secret-name", "any");
        parameters.put(PREFIX + "secret-namespace", "admin");
        assertThat(resolve(PROVISIONER, parameters)).hasValue(new SecretName("admin", "any"));
        assertThat(resolve(NODE_PUBLISH, parameters)).hasValue(new SecretName("admin", "own"));
    }

    @Test
    void halfANameIsRefused() {
        assertThatThrownBy(() -> resolve(PROVISIONER, Map.of(PREFIX + "provisioner-secret-name", "keys")))
                .isInstanceOf(Unusable.class)
                .hasMessageContaining(PREFIX + "provisioner-secret-namespace");
        assertThatThrownBy(() -> resolve(PROVISIONER, named(PROVISIONER, "", "admin")))
                .isInstanceOf(Unusable.class);
    }
}
