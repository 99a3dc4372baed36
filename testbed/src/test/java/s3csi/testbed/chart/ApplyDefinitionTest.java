package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.kubernetes.PodAttachment;
import s3csi.kubernetes.PodAttachmentDefinition;
import s3csi.kubernetes.PodAttachmentSpec;
import s3csi.kubernetes.SharingKey;
import s3csi.s3.testing.process.Await;
import s3csi.testbed.cluster.ControlPlane;

/** The hook that brings the definition of attachments up to date, against a real API server, with its own rights. */
@Tag("chart")
class ApplyDefinitionTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static ControlPlane plane;
    private static HookProgram hook;

    @BeforeAll
    static void start() {
        plane = ControlPlane.start();
        hook = HookProgram.of(plane, "s3-csi-apply-definition");
    }

    @AfterAll
    static void stop() {
        plane.close();
    }

    private static Resource<CustomResourceDefinition> definition() {
        return plane.client().apiextensions().v1().customResourceDefinitions().withName(PodAttachmentDefinition.NAME);
    }

    private static void assertApplied() {
        HookProgram.Ending ending = hook.run();
        assertThat(ending.code()).as(ending.printed()).isZero();
        assertThat(ending.printed()).contains("is that of this release");
        assertThat(definition().get().getSpec().getVersions())
                .isEqualTo(PodAttachmentDefinition.desired().getSpec().getVersions());
    }

    /** Each right is needed for one of these, and there is no other. */
    @Test
    void itIsMadeWhereItIsMissingAndLeftWhereItIsRight() {
        definition().delete();
        Await.until(SOON, () -> "the definition stays", () -> definition().get() == null);
        assertApplied();
        String made = definition().get().getMetadata().getResourceVersion();
        assertApplied();
        assertThat(definition().get().getMetadata().getResourceVersion()).isEqualTo(made);
        assertThat(hook.rights().usedBy("scality-csi-controller"))
                .containsAll(List.of("get customresourcedefinitions", "patch customresourcedefinitions"))
                .isSubsetOf(hook.rights().granted());
    }

    /** As 2.x has it, and with what a hand has written; attachments that are there stay. */
    @Test
    void anOlderOneIsBroughtUpToDate() {
        assertApplied();
        plane.client()
                .resource(PodAttachment.of(
                        new PodAttachmentSpec(new SharingKey("node", "volume", "handle", "", ""), Map.of()), "2.2.0"))
                .create();
        definition()
                .edit(found -> new CustomResourceDefinitionBuilder(found)
                        .editMetadata()
                        .addToLabels("team", "storage")
                        .endMetadata()
                        .editSpec()
                        .editFirstVersion()
                        .withSelectableFields(List.of())
                        .withAdditionalPrinterColumns(List.of())
                        .endVersion()
                        .endSpec()
                        .build());
        assertApplied();
        assertThat(definition().get().getMetadata().getLabels()).containsEntry("team", "storage");
        assertThat(plane.client().resources(PodAttachment.class).list().getItems())
                .hasSize(1);
    }

    @Test
    void anApiServerThatIsAwayIsToldInWords() {
        plane.killApiServer();
        try {
            HookProgram.Ending ending = hook.run();
            assertThat(ending.code()).isEqualTo(1);
            assertThat(ending.printed()).contains("scality-csi-controller apply-definition failed: ");
        } finally {
            plane.restartApiServer();
        }
    }
}
