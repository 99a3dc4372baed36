package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialRulesTest {
    private static Map<String, String> secret(String id, String key) {
        return Map.of("access_key_id", id, "secret_access_key", key);
    }

    @Test
    void trimsWhatAnEditorLeft() {
        assertThat(CredentialRules.parse(secret(" AKIA1 \n", "s3cr/et+=\n")))
                .isEqualTo(new StoreKeys("AKIA1", "s3cr/et+=", Optional.empty()));
    }

    @Test
    void takesTheKeysOfOtherStoresToo() {
        assertThat(CredentialRules.parse(secret("tenant_1.user-2", "3b241101-e2bb-4255-8caf-4136c566a962")))
                .isNotNull();
        assertThat(CredentialRules.parse(secret("a", "b".repeat(1024)))).isNotNull();
    }

    @Test
    void takesTokenAndRegion() {
        Map<String, String> secret =
                Map.of("access_key_id", "a", "secret_access_key", "b", "session_token", "t", "region", "eu-1");
        assertThat(CredentialRules.parse(secret).sessionToken()).contains("t");
        assertThat(CredentialRules.region(secret)).contains(new Region("eu-1"));
    }

    @Test
    void namesEveryBadKeyAndShowsNoValue() {
        assertThatThrownBy(() -> CredentialRules.parse(Map.of("secret_access_key", "canary\nsecret")))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("missing or invalid keys in Kubernetes Secret: access_key_id, secret_access_key")
                .hasMessageNotContaining("canary");
    }

    @Test
    void doesNotShowWhatStandsInPlaceOfTheRegion() {
        assertThatThrownBy(() -> CredentialRules.region(Map.of("region", "canary/secret+key=")))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("region")
                .hasMessageNotContaining("canary");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\nb", "a\u0000b", "ä", "a\u007f"})
    void refusesWhatCouldBreakOutOfAHeaderOrFile(String key) {
        assertThatThrownBy(() -> CredentialRules.parse(secret("id", key))).isInstanceOf(VolumeFailure.class);
    }

    @Test
    void refusesACommaInAnAccessKeyOnly() {
        assertThatThrownBy(() -> CredentialRules.parse(secret("a,b", "c")))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("Secret: access_key_id.");
        assertThat(CredentialRules.parse(secret("a", "b,c"))).isNotNull();
    }

    @Test
    void refusesEndlessKeys() {
        assertThatThrownBy(() -> CredentialRules.parse(secret("a".repeat(1025), "b")))
                .isInstanceOf(VolumeFailure.class);
    }

    @Test
    void keysAreNeverShown() {
        assertThat(new StoreKeys("AKIAEXAMPLE", "canary-secret", Optional.of("canary-token")))
                .hasToString("keys AKIA…");
    }
}
