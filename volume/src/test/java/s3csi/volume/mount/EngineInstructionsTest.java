package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.VolumeAttributes;
import s3csi.volume.VolumeId;

class EngineInstructionsTest {
    private static final String ATTRIBUTES = "--attribute-changes=ignore";

    private static EngineInstructions instructions(EngineKind engine, String... options) {
        MountPlan plan = MountPlan.of(
                MountOptions.parse(List.of(options)),
                false,
                Optional.empty(),
                Optional.empty(),
                new UserAgentPrefix("3.0.0", AuthenticationSource.DRIVER, Optional.empty()),
                new EnginePlace.Pod());
        VolumeAttributes attributes =
                VolumeAttributes.parse(Map.of("bucketName", "data", "mountpointEnv.HTTPS_PROXY", "http://proxy:3128"));
        return EngineInstructions.of(attributes, plan, engine);
    }

    @Test
    void changesOfAttributesAreIgnoredUnlessTheVolumeWantsThemRefused() {
        assertThat(instructions(EngineKind.OURS).arguments()).contains(ATTRIBUTES);
        assertThat(instructions(EngineKind.OURS, "attribute-changes refuse").arguments())
                .contains("--attribute-changes=refuse")
                .doesNotContain(ATTRIBUTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"allow-delete", "attribute-changes refuse", "attribute-changes ignore"})
    void anEngineOfTheReleasesBeforeIsNotToldWhatItDoesNotKnow(String option) {
        assertThat(instructions(EngineKind.MOUNTPOINT, option).arguments())
                .noneMatch(argument -> argument.contains("attribute-changes"))
                .contains("--allow-root", "--force-path-style");
    }

    /** What users write in volumes, by what Mountpoint 1.18 makes of it. */
    @Test
    void mountpointGetsEveryOptionThatItKnowsAndNoOther() {
        List<String> known = List.of(
                "--allow-delete",
                "--allow-other",
                "--allow-overwrite",
                "--cache=/x",
                "--debug",
                "--debug-crt",
                "--dir-mode=0700",
                "--dual-stack",
                "--expected-bucket-owner=1",
                "--file-mode=0600",
                "--force-path-style",
                "--gid=1",
                "--log-metrics",
                "--max-cache-size=5",
                "--max-threads=5",
                "--maximum-throughput-gbps=5",
                "--metadata-ttl=5",
                "--negative-metadata-ttl=5",
                "--no-log",
                "--no-sign-request",
                "--part-size=8388608",
                "--prefix=x/",
                "--read-part-size=8388608",
                "--region=eu-1",
                "--requester-pays",
                "--sse=aws:kms",
                "--sse-kms-key-id=x",
                "--transfer-acceleration",
                "--uid=1",
                "--upload-checksums=off",
                "--write-part-size=8388608");
        List<String> unknown = List.of(
                "--allow-append",
                "--attribute-changes=refuse",
                "--infer-content-type",
                "--memory-target=512",
                "--metrics-port=9000",
                "--otlp-endpoint=http://collector",
                "--otlp-export-interval=5",
                "--store-patience=5");
        String[] all = Stream.concat(known.stream(), unknown.stream()).toArray(String[]::new);
        List<String> told = instructions(EngineKind.MOUNTPOINT, all).arguments();
        assertThat(told.stream().filter(option -> !option.startsWith("--user-agent-prefix")))
                .containsExactlyInAnyOrderElementsOf(known);
        assertThat(instructions(EngineKind.OURS, all).arguments())
                .containsAll(known)
                .containsAll(unknown);
    }

    @Test
    void aChecksumThatMountpointDoesNotKnowIsLeftToItsDefault() {
        assertThat(instructions(EngineKind.MOUNTPOINT, "upload-checksums crc64nvme")
                        .arguments())
                .noneMatch(option -> option.startsWith("--upload-checksums"));
        assertThat(instructions(EngineKind.MOUNTPOINT, "upload-checksums=crc32c")
                        .arguments())
                .contains("--upload-checksums=crc32c");
        assertThat(instructions(EngineKind.OURS, "upload-checksums=crc64nvme").arguments())
                .contains("--upload-checksums=crc64nvme");
    }

    @Test
    void aCacheFitsTheVolumeThatItIsOn() {
        assertThat(instructions(EngineKind.OURS, "cache /x")
                        .withCacheLimit("100Mi")
                        .arguments())
                .contains("--max-cache-size=95");
    }

    @Test
    void aCacheIsWhereTheDriverSaysAndOnlyIfTheVolumeWantsOne() {
        assertThat(instructions(EngineKind.OURS, "cache /somewhere/on/the/node")
                        .withCache("/own/cache")
                        .arguments())
                .contains("--cache=/own/cache")
                .noneMatch(argument -> argument.contains("somewhere"));
        assertThat(instructions(EngineKind.OURS).withCache("/own/cache").arguments())
                .noneMatch(argument -> argument.startsWith("--cache"));
    }

    @Test
    void aMessageHoldsAllOfItSorted() {
        ProfileFiles files = ProfileFiles.of("mp-1", new VolumeId("volume-1"));
        MountMessage message = instructions(EngineKind.OURS, "aws-max-attempts 3")
                .withStore(Map.of("AWS_ENDPOINT_URL", "http://s3", "AWS_REGION", ""))
                .withKeys(files, "/comm/credentials")
                .withUploadNotes("/notes")
                .message();
        assertThat(message)
                .isEqualTo(new MountMessage(
                        "data",
                        List.of(
                                "--allow-root",
                                ATTRIBUTES,
                                "--force-path-style",
                                "--user-agent-prefix=s3-csi-driver/3.0.0 credential-source#driver"),
                        List.of(
                                "AWS_CONFIG_FILE=/comm/credentials/mp-1-volume-1-s3-csi-config",
                                "AWS_ENDPOINT_URL=http://s3",
                                "AWS_MAX_ATTEMPTS=3",
                                "AWS_PROFILE=mp-1-volume-1-s3-csi",
                                "AWS_SHARED_CREDENTIALS_FILE=/comm/credentials/mp-1-volume-1-s3-csi-credentials",
                                "HTTPS_PROXY=http://proxy:3128",
                                "S3CSI_UPLOAD_NOTES=/notes")));
    }

    @Test
    void aVolumeCannotSayWhereTheStoreIs() {
        EngineInstructions told = new EngineInstructions(
                        "data", MountOptions.parse(List.of()), new EngineEnvironment(Map.of("AWS_REGION", "volume")))
                .withStore(Map.of("AWS_REGION", "driver"));
        assertThat(told.message().env()).containsExactly("AWS_REGION=driver");
    }

    /** A driver that has a variable without a value says nothing with it. */
    @Test
    void whatTheDriverLeavesEmptyTakesNothingFromTheVolume() {
        assertThat(instructions(EngineKind.OURS)
                        .withStore(Map.of("HTTPS_PROXY", "", "AWS_REGION", "eu-1"))
                        .message()
                        .env())
                .contains("HTTPS_PROXY=http://proxy:3128", "AWS_REGION=eu-1");
    }
}
