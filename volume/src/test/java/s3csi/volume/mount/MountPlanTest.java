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
    private static final UserAgentPrefix AGENT =
            new UserAgentPrefix("3.0.0", AuthenticationSource.DRIVER, Optional.empty());
    private static final String AGENT_ARGUMENT = "--user-agent-prefix=s3-csi-driver/3.0.0 credential-source#driver";

    private static final EnginePlace NODE = new EnginePlace.Node(1024);

    private static MountPlan plan(String... options) {
        return MountPlan.of(
                MountOptions.parse(List.of(options)), false, Optional.empty(), Optional.empty(), AGENT, NODE);
    }

    private static MountPlan planWithGroup(String... options) {
        return MountPlan.of(
                MountOptions.parse(List.of(options)), false, MountGroup.parse("2000"), Optional.empty(), AGENT, NODE);
    }

    @Test
    void everyMountLetsRootInAndUsesPathStyle() {
        assertThat(plan().options().arguments()).containsExactly("--allow-root", "--force-path-style", AGENT_ARGUMENT);
        assertThat(plan("allow-other").options().arguments())
                .containsExactly("--allow-other", "--force-path-style", AGENT_ARGUMENT);
        assertThat(plan("allow-other", "allow-root").options().arguments()).doesNotContain("--allow-root");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cache", "--cache", "cache=", "prefix", "aws-max-attempts", "uid", "gid", "dir-mode", "file-mode"
            })
    void anOptionWhoseValueIsMissingIsRefused(String option) {
        assertThatThrownBy(() -> planWithGroup(option))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("its value is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read-only=false", "no-sign-request no", "allow-other=0"})
    void aFlagOfTheDriverTakesNoValue(String option) {
        assertThatThrownBy(() -> plan(option))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("it takes no value");
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
        assertThat(plan.options().arguments())
                .containsExactly("--allow-delete", "--allow-root", "--force-path-style", AGENT_ARGUMENT);
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

    private static MountPlan planOfAPod(String... options) {
        return MountPlan.of(
                MountOptions.parse(List.of(options)),
                false,
                Optional.empty(),
                Optional.empty(),
                AGENT,
                new EnginePlace.Pod());
    }

    @Test
    void onlyAnEngineInAPodOfItsOwnMayListenAndPost() {
        String[] options = {"metrics-port 9090", "otlp-endpoint=http://10.0.0.1:4318", "otlp-export-interval 5"};
        assertThat(planOfAPod(options).options().arguments())
                .contains("--metrics-port=9090", "--otlp-endpoint=http://10.0.0.1:4318", "--otlp-export-interval=5");
        assertThat(planOfAPod(options).warnings()).isEmpty();
        assertThat(plan(options).options().arguments())
                .isEqualTo(plan().options().arguments());
        assertThat(plan(options).warnings()).hasSize(3).allMatch(warning -> warning.contains("node's own network"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1025", "+4096", "٤٠٩٦", "999999999999999999999"})
    void memoryOnANodeIsLimitedByTheDriver(String asked) {
        MountPlan plan = plan("memory-target " + asked);
        assertThat(plan.options().arguments()).contains("--memory-target=1024");
        assertThat(plan.warnings()).singleElement().asString().contains("lowered to 1024 MiB");
        assertThat(planOfAPod("memory-target " + asked).options().arguments()).contains("--memory-target=" + asked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1024", "128", "many", "-1"})
    void otherMemoryIsTheEnginesBusiness(String asked) {
        assertThat(plan("memory-target=" + asked).options().arguments()).contains("--memory-target=" + asked);
        assertThat(plan("memory-target=" + asked).warnings()).isEmpty();
    }

    @Test
    void attemptsBecomeAVariable() {
        MountPlan plan = plan("aws-max-attempts 5");
        assertThat(plan.environment()).isEqualTo(Map.of("AWS_MAX_ATTEMPTS", "5"));
        assertThat(plan.options().arguments()).noneMatch(argument -> argument.contains("attempts"));
        assertThatThrownBy(() -> plan("aws-max-attempts 5x")).hasMessageContaining("not a number of attempts");
    }

    @Test
    void readOnlyIsForTheKernelNotForTheEngine() {
        assertThat(plan("read-only").readOnly()).isTrue();
        assertThat(plan("read-only").options().arguments()).doesNotContain("--read-only");
        assertThat(plan().readOnly()).isFalse();
        MountPlan readers =
                MountPlan.of(MountOptions.parse(List.of()), true, Optional.empty(), Optional.empty(), AGENT, NODE);
        assertThat(readers.readOnly()).isTrue();
    }

    @Test
    void theUserAgentIsAlwaysOurs() {
        assertThat(plan("user-agent-prefix me").options().arguments())
                .contains(AGENT_ARGUMENT)
                .hasSize(3);
    }

    @Test
    void aGroupGetsInAndNobodyElse() {
        assertThat(planWithGroup().options().arguments())
                .containsExactly(
                        "--allow-other",
                        "--dir-mode=770",
                        "--file-mode=660",
                        "--force-path-style",
                        "--gid=2000",
                        AGENT_ARGUMENT);
    }

    @Test
    void aGroupKeepsWhatTheUserChose() {
        assertThat(planWithGroup("dir-mode=755", "file-mode 600").options().arguments())
                .contains("--dir-mode=755", "--file-mode=600", "--gid=2000", "--allow-other");
        assertThat(planWithGroup("gid=1").options().arguments())
                .containsExactly("--allow-root", "--force-path-style", "--gid=1", AGENT_ARGUMENT);
    }

    @Test
    void theRegionIsADefault() {
        Optional<Region> region = Optional.of(new Region("eu-1"));
        MountOptions none = MountOptions.parse(List.of());
        assertThat(MountPlan.of(none, false, Optional.empty(), region, AGENT, NODE)
                        .options()
                        .arguments())
                .contains("--region=eu-1");
        MountOptions own = MountOptions.parse(List.of("region=eu-2"));
        assertThat(MountPlan.of(own, false, Optional.empty(), region, AGENT, NODE)
                        .options()
                        .arguments())
                .contains("--region=eu-2")
                .doesNotContain("--region=eu-1");
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
        assertThat(new UserAgentPrefix("3.0.0", AuthenticationSource.SECRET, Optional.of("v1.34.4")).text())
                .isEqualTo("s3-csi-driver/3.0.0 credential-source#secret k8s/v1.34.4");
    }
}
