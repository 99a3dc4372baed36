package s3csi.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the README has for copying, in a real API server. */
@Tag("api")
final class ReadmeApiTest {
    private static final Pattern OBJECTS = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    /** Strictly: a field that is misspelt is an error, and not left out. */
    @Test
    void theObjectsAreTakenAsTheyAreWritten() throws IOException {
        Matcher found = OBJECTS.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(found.find()).isTrue();
        // Not the client of our programs, which knows only the kinds that they watch.
        try (ControlPlane plane = ControlPlane.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(Config.fromKubeconfig(plane.kubeconfig().toFile()))
                        .build()) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("team")
                            .endMetadata()
                            .build())
                    .create();
            List<HasMetadata> objects = client.load(
                            new ByteArrayInputStream(found.group(1).getBytes(StandardCharsets.UTF_8)))
                    .items();
            for (HasMetadata object : objects) {
                client.resource(object)
                        .fieldValidation(FieldValidateable.Validation.STRICT)
                        .create();
            }
            assertThat(objects)
                    .extracting(HasMetadata::getKind)
                    .containsExactly("Secret", "StorageClass", "PersistentVolumeClaim", "PersistentVolume");
        }
    }
}
