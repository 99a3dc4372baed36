package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeId;

class ProfileFilesTest {
    private static final ProfileFiles FILES = ProfileFiles.of("uid-1", new VolumeId("a/b"));

    @Test
    void namesAreThoseOfEarlierReleases() {
        assertThat(FILES.profile()).isEqualTo("uid-1-a~b-s3-csi");
        assertThat(FILES.configFile()).isEqualTo("uid-1-a~b-s3-csi-config");
        assertThat(FILES.credentialsFile()).isEqualTo("uid-1-a~b-s3-csi-credentials");
    }

    @Test
    void contentsAreAProfile() {
        assertThat(FILES.config()).isEqualTo("[profile uid-1-a~b-s3-csi]\n");
        assertThat(FILES.credentials(new StoreKeys("ID", "KEY", Optional.empty())))
                .isEqualTo("[uid-1-a~b-s3-csi]\naws_access_key_id=ID\naws_secret_access_key=KEY\n");
        assertThat(FILES.credentials(new StoreKeys("ID", "KEY", Optional.of("T"))))
                .endsWith("aws_session_token=T\n");
    }

    @Test
    void theEnvironmentSaysWhereTheyAre() {
        assertThat(FILES.environment("/comm/credentials"))
                .isEqualTo(Map.of(
                        "AWS_PROFILE", "uid-1-a~b-s3-csi",
                        "AWS_CONFIG_FILE", "/comm/credentials/uid-1-a~b-s3-csi-config",
                        "AWS_SHARED_CREDENTIALS_FILE", "/comm/credentials/uid-1-a~b-s3-csi-credentials"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x]\u00a0[default", "a b", "#", "..", "ü", "../../etc/passwd"})
    void idsCannotLeaveTheirFileOrSection(String id) {
        ProfileFiles files = ProfileFiles.of("uid-1", new VolumeId(id));
        assertThat(files.profile()).matches("uid-1-[A-Za-z0-9._~-]+-s3-csi");
    }

    @Test
    void longIdsStillMakeFileNames() {
        ProfileFiles files = ProfileFiles.of("uid-1", new VolumeId("x".repeat(1024)));
        assertThat(files.credentialsFile()).hasSizeLessThan(255);
        assertThat(files).isNotEqualTo(ProfileFiles.of("uid-1", new VolumeId("x".repeat(1023))));
    }
}
