package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.AuthenticationSource;
import s3csi.volume.Region;
import s3csi.volume.VolumeFailure;

class MountPlanTest {
    private static final UserAgent AGENT = new UserAgent("3.0.0", AuthenticationSource.DRIVER, Optional.empty());
    private static final String AGENT_ARGUMENT = "--user-agent-prefix=s3-csi-driver/3.0.0 credential-source#driver";

    private static final String ATTRIBUTES = "--attribute-changes=ignore";

    private static MountPlan plan(String... options) {
        return MountPlan.of(MountOptions.parse(List.of(options)), false, Optional.empty(), Optional.empty(), AGENT);
    }

    private static MountPlan planWithGroup(String... options) {
        return MountPlan.of(
                MountOptions.parse(List.of(options)), false, MountGroup.parse("2000"), Optional.empty(), AGENT);
    }

    @Test
    void everyMountLetsRootInAndUsesPathStyle() {
        assertThat(plan().arguments())
                .containsExactly("--allow-root", ATTRIBUTES, "--force-path-style", AGENT_ARGUMENT);
        assertThat(plan("allow-other").arguments())
                .containsExactly("--allow-other", ATTRIBUTES, "--force-path-style", AGENT_ARGUMENT);
        assertThat(plan("allow-other", "allow-root").arguments()).doesNotContain("--allow-root");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--profile x",
                "--endpoint-url=http://evil",
                "--endpoint-url http://evil",
                "endpoint-url=http://evil",
                "endpoint-url http://evil",
                "cache-xz",
                "incremental-upload",
                "storage-class GLACIER",
                "-o allow_other",
                "ca-bundle /etc/ca.pem",
                "auto-unmount",
                "log-directory /var/log",
                "-l /var/log"
            })
    void whatIsForbiddenIsTakenOutWithAWarning(String option) {
        MountPlan plan = plan(option, "allow-delete");
        assertThat(plan.arguments())
                .containsExactly("--allow-delete", "--allow-root", ATTRIBUTES, "--force-path-style", AGENT_ARGUMENT);
        assertThat(plan.warnings())
                .singleElement()
                .asString()
                .contains("is ignored: ")
                .doesNotContain("evil");
    }

    @Test
    void severalAtOnceAreTakenOutEachWithItsReason() {
        assertThat(plan("profile=x", "cache-xz", "storage-class=y").warnings()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prefix ../a/", "cache ../other", "cache /var/../etc", "ca-bundle=/a/..", "-l .."})
    void pathsThatLeadOutAreRefused(String option) {
        assertThatThrownBy(() -> plan(option)).isInstanceOf(VolumeFailure.class).hasMessageContaining("leads out");
    }

    @Test
    void attemptsBecomeAVariable() {
        MountPlan plan = plan("aws-max-attempts 5");
        assertThat(plan.environment()).isEqualTo(Map.of("AWS_MAX_ATTEMPTS", "5"));
        assertThat(plan.arguments()).noneMatch(argument -> argument.contains("attempts"));
        assertThatThrownBy(() -> plan("aws-max-attempts 5x")).hasMessageContaining("not a number of attempts");
    }

    @Test
    void readOnlyIsForTheKernelNotForTheEngine() {
        assertThat(plan("read-only").readOnly()).isTrue();
        assertThat(plan("read-only").arguments()).doesNotContain("--read-only");
        assertThat(plan().readOnly()).isFalse();
        MountPlan readers =
                MountPlan.of(MountOptions.parse(List.of()), true, Optional.empty(), Optional.empty(), AGENT);
        assertThat(readers.readOnly()).isTrue();
    }

    @Test
    void theUserAgentIsAlwaysOurs() {
        assertThat(plan("user-agent-prefix me").arguments())
                .contains(AGENT_ARGUMENT)
                .hasSize(4);
    }

    @Test
    void aGroupGetsInAndNobodyElse() {
        assertThat(planWithGroup().arguments())
                .containsExactly(
                        "--allow-other",
                        ATTRIBUTES,
                        "--dir-mode=770",
                        "--file-mode=660",
                        "--force-path-style",
                        "--gid=2000",
                        AGENT_ARGUMENT);
    }

    @Test
    void aGroupKeepsWhatTheUserChose() {
        assertThat(planWithGroup("dir-mode=755", "file-mode 600").arguments())
                .contains("--dir-mode=755", "--file-mode=600", "--gid=2000", "--allow-other");
        assertThat(planWithGroup("gid=1").arguments())
                .containsExactly("--allow-root", ATTRIBUTES, "--force-path-style", "--gid=1", AGENT_ARGUMENT);
    }

    @Test
    void theRegionIsADefault() {
        Optional<Region> region = Optional.of(new Region("eu-1"));
        MountOptions none = MountOptions.parse(List.of());
        assertThat(MountPlan.of(none, false, Optional.empty(), region, AGENT).arguments())
                .contains("--region=eu-1");
        MountOptions own = MountOptions.parse(List.of("region=eu-2"));
        assertThat(MountPlan.of(own, false, Optional.empty(), region, AGENT).arguments())
                .contains("--region=eu-2")
                .doesNotContain("--region=eu-1");
    }

    @Test
    void changesOfAttributesAreIgnoredUnlessTheVolumeWantsThemRefused() {
        assertThat(plan().arguments()).contains(ATTRIBUTES);
        assertThat(plan("attribute-changes refuse").arguments())
                .contains("--attribute-changes=refuse")
                .doesNotContain(ATTRIBUTES);
    }

    @Test
    void publicBucketsNeedNoKeys() {
        assertThat(plan("no-sign-request").signed()).isFalse();
        assertThat(plan().signed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "01", "4294967295", "99999999999", " 5", "5,allow_other"})
    void aGroupIsANumber(String text) {
        assertThatThrownBy(() -> MountGroup.parse(text)).isInstanceOf(VolumeFailure.class);
    }

    @Test
    void noGroupIsNoGroup() {
        assertThat(MountGroup.parse("")).isEmpty();
        assertThat(MountGroup.parse("4294967294")).isPresent();
    }

    @Test
    void theUserAgentNamesReleaseSourceAndCluster() {
        assertThat(new UserAgent("3.0.0", AuthenticationSource.SECRET, Optional.of("v1.34.4")).text())
                .isEqualTo("s3-csi-driver/3.0.0 credential-source#secret k8s/v1.34.4");
    }
}
