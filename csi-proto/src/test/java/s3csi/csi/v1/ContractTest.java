package s3csi.csi.v1;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import s3csi.registration.v1.RegistrationProto;

/**
 * Our compact files say what the published contracts say. The list of facts was read from the descriptors of CSI 1.11 and of
 * kubelet 1.34: all that Identity, Controller, Node and Registration can send or receive.
 */
final class ContractTest {
    @Test
    void everyFactOfThePublishedContractsHoldsAndNoneIsAdded() throws IOException {
        assertThat(ContractFacts.of(
                        OptionsProto.getDescriptor(),
                        VolumeProto.getDescriptor(),
                        SnapshotProto.getDescriptor(),
                        IdentityProto.getDescriptor(),
                        ControllerProto.getDescriptor(),
                        NodeProto.getDescriptor(),
                        RegistrationProto.getDescriptor()))
                .containsExactlyInAnyOrderElementsOf(publishedFacts());
    }

    private static List<String> publishedFacts() throws IOException {
        try (InputStream facts = Objects.requireNonNull(
                ContractTest.class.getResourceAsStream("contract-facts.txt"), "contract-facts.txt")) {
            return new String(facts.readAllBytes(), UTF_8).lines().toList();
        }
    }
}
