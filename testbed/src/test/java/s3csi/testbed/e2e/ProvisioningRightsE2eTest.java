package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which Secrets the controller gets at for a claim, and what the claim is told where there is none. */
class ProvisioningRightsE2eTest extends AccountsStage {
    @Test
    void aSecretMayBeInAnotherNamespaceThanTheClaim() {
        String vault = furtherNamespace("vault");
        secret(vault, "keys", cluster.tenant());
        PersistentVolumeClaim claim = claim("data", classWith("vault", madeWith(vault, "keys")));
        assertThat(ownerOf(bucketOf(boundVolume(claim)))).isEqualTo("tenant");
    }

    @Test
    void aClaimWaitsForASecretThatIsMissingAndForANamespace() {
        String later = namespace + "-later";
        PersistentVolumeClaim noSecret = claim("no-secret", classWith("secret", madeWith(namespace, "missing")));
        PersistentVolumeClaim noNamespace = claim("no-namespace", classWith("namespace", madeWith(later, "keys")));
        awaitWords("no-secret", "there is no Secret " + namespace + "/missing. Make it, with the keys access_key_id");
        awaitWords("no-namespace", "there is no Secret " + later + "/keys. Make it, with the keys access_key_id");
        remainsUnbound(noSecret);
        remainsUnbound(noNamespace);

        secret("missing", cluster.tenant());
        secret(furtherNamespace("later"), "keys", cluster.tenant());
        assertThat(ownerOf(bucketOf(boundVolume(noSecret)))).isEqualTo("tenant");
        assertThat(ownerOf(bucketOf(boundVolume(noNamespace)))).isEqualTo("tenant");
    }

    @Test
    void aClassThatNamesHalfASecretOrAnUnknownParameterIsToldWhatIsWrong() {
        String prefix = "csi.storage.k8s.io/provisioner-secret-";
        PersistentVolumeClaim half = claim("half", classWith("half", Map.of(prefix + "name", "keys")));
        PersistentVolumeClaim misspelt = claim("misspelt", classWith("misspelt", Map.of(prefix + "nam", "keys")));
        PersistentVolumeClaim unknown = claim("unknown", classWith("unknown", Map.of("bucketPrefix", "team-")));
        awaitWords("half", "must have both " + prefix + "name and " + prefix + "namespace");
        awaitWords("misspelt", prefix + "nam", "means nothing");
        awaitWords("unknown", "bucketPrefix");
        remainsUnbound(half);
        remainsUnbound(misspelt);
        remainsUnbound(unknown);
    }
}
