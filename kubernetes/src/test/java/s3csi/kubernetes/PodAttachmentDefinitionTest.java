package s3csi.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionNames;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.SelectableField;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class PodAttachmentDefinitionTest {
    private final CustomResourceDefinition definition = PodAttachmentDefinition.desired();
    private final CustomResourceDefinitionVersion version =
            definition.getSpec().getVersions().getFirst();

    @Test
    void theNamesAreThoseOfTheJavaType() {
        PodAttachment attachment = new PodAttachment();
        CustomResourceDefinitionNames names = definition.getSpec().getNames();
        assertThat(definition.getMetadata().getName())
                .isEqualTo(PodAttachmentDefinition.NAME)
                .isEqualTo("mountpoints3podattachments.s3.csi.scality.com");
        assertThat(definition.getSpec().getGroup()).isEqualTo(attachment.getGroup());
        assertThat(definition.getSpec().getScope())
                .isEqualTo(attachment.getScope())
                .isEqualTo("Cluster");
        assertThat(names.getKind()).isEqualTo(attachment.getKind()).isEqualTo("MountpointS3PodAttachment");
        assertThat(names.getListKind()).isEqualTo("MountpointS3PodAttachmentList");
        assertThat(names.getPlural()).isEqualTo(attachment.getPlural());
        assertThat(names.getSingular()).isEqualTo(attachment.getSingular());
        assertThat(names.getShortNames()).containsExactly("s3pa");
        assertThat(definition.getSpec().getVersions()).hasSize(1);
        assertThat(version.getName()).isEqualTo(attachment.getVersion()).isEqualTo("v2");
        assertThat(version.getServed()).isTrue();
        assertThat(version.getStorage()).isTrue();
        assertThat(version.getSubresources().getStatus()).isNotNull();
    }

    @Test
    void theSchemaIsThatOfTheJavaType() {
        JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
        assertThat(root.getProperties()).containsOnlyKeys("apiVersion", "kind", "metadata", "spec");
        assertAgree(property(root, "spec"), PodAttachmentSpec.class, "spec");
    }

    /** Every component of a record is a required field, and there are no others. */
    private static void assertAgree(JSONSchemaProps schema, Type type, String path) {
        if (type == String.class) {
            assertThat(schema.getType()).as(path).isEqualTo("string");
            assertThat(schema.getFormat()).as(path).isNull();
        } else if (type == Instant.class) {
            assertThat(schema.getType()).as(path).isEqualTo("string");
            assertThat(schema.getFormat()).as(path).isEqualTo("date-time");
        } else if (type instanceof ParameterizedType map && map.getRawType() == SortedMap.class) {
            assertThat(schema.getType()).as(path).isEqualTo("object");
            assertThat(schema.getProperties()).as(path).isEmpty();
            assertAgree(schema.getAdditionalProperties().getSchema(), map.getActualTypeArguments()[1], path + ".*");
        } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            assertThat(schema.getType()).as(path).isEqualTo("array");
            assertAgree(schema.getItems().getSchema(), list.getActualTypeArguments()[0], path + "[]");
        } else {
            assertThat(schema.getType()).as(path).isEqualTo("object");
            RecordComponent[] components = ((Class<?>) type).getRecordComponents();
            List<String> names =
                    Arrays.stream(components).map(RecordComponent::getName).toList();
            assertThat(schema.getProperties().keySet()).as(path).containsExactlyInAnyOrderElementsOf(names);
            assertThat(schema.getRequired()).as(path).containsExactlyInAnyOrderElementsOf(names);
            for (RecordComponent component : components) {
                String name = component.getName();
                assertAgree(property(schema, name), component.getGenericType(), path + "." + name);
            }
        }
    }

    private static JSONSchemaProps property(JSONSchemaProps schema, String name) {
        return Objects.requireNonNull(schema.getProperties().get(name), name);
    }

    @Test
    void attachmentsCanBeSelectedByWhatWorkloadsShare() {
        assertThat(version.getSelectableFields())
                .extracting(SelectableField::getJsonPath)
                .containsExactly(
                        ".spec.nodeName",
                        ".spec.persistentVolumeName",
                        ".spec.volumeID",
                        ".spec.mountOptions",
                        ".spec.workloadFSGroup");
        assertThat(version.getAdditionalPrinterColumns())
                .extracting(CustomResourceColumnDefinition::getName)
                .containsExactly("Node", "PV Name", "Mount Options", "Age");
    }

    @Test
    void aNodeKnowsWhetherItCanAskForItsOwn() {
        assertThat(PodAttachmentDefinition.selectsByNode(definition)).isTrue();
        CustomResourceDefinition ofAnOldServer = new CustomResourceDefinitionBuilder(definition)
                .editSpec()
                .editFirstVersion()
                .withSelectableFields(List.of())
                .endVersion()
                .endSpec()
                .build();
        assertThat(PodAttachmentDefinition.selectsByNode(ofAnOldServer)).isFalse();
        CustomResourceDefinition ofAnotherVersion = new CustomResourceDefinitionBuilder(definition)
                .editSpec()
                .editFirstVersion()
                .withName("v3")
                .endVersion()
                .endSpec()
                .build();
        assertThat(PodAttachmentDefinition.selectsByNode(ofAnotherVersion)).isFalse();
    }
}
