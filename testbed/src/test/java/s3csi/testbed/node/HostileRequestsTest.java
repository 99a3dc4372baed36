package s3csi.testbed.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status.Code;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.csi.v1.NodePublishVolumeRequest;
import s3csi.linux.MountEntry;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.csi.FoundEngine;
import s3csi.testbed.csi.NodeProgram;
import s3csi.testbed.csi.Refusals;
import s3csi.testbed.csi.SecretDirectory;

/** Requests that want to be a path, an option, a second line or a flood; and keys that nobody may see. */
final class HostileRequestsTest extends NodeStage {
    private static final String BUCKET = "hostile";
    private static final String LARGE = "x".repeat(64 << 10);

    @Override
    S3Server startServer() {
        return MinioServer.start();
    }

    @BeforeAll
    void makeABucket() {
        bucket(BUCKET);
    }

    static Stream<String> textThatNoFieldMayHold() {
        return Stream.of("a\nb", "a\u0000b", "a\u202eb", LARGE);
    }

    @ParameterizedTest
    @MethodSource("textThatNoFieldMayHold")
    void textThatCannotBeShownIsRefusedEverywhere(String text) throws IOException {
        NodePublishVolumeRequest.Builder good = node.request(BUCKET, "a");
        List<NodePublishVolumeRequest.Builder> spoilt = List.of(
                good.clone().setVolumeId(text),
                good.clone().setTargetPath(node.target("a") + text),
                good.clone().putVolumeContext("bucketName", text),
                good.clone().putVolumeContext("authenticationSource", text),
                good.clone().putVolumeContext("region", text),
                node.request(BUCKET, "a", "prefix=" + text),
                node.request(BUCKET, "a", text),
                withGroup(text));
        for (NodePublishVolumeRequest.Builder request : spoilt) {
            assertThat(refused(Code.INVALID_ARGUMENT, request)).isNotBlank();
        }
        assertNothingIsLeft();
    }

    private NodePublishVolumeRequest.Builder withGroup(String group) {
        NodePublishVolumeRequest.Builder request = node.request(BUCKET, "a");
        request.getVolumeCapabilityBuilder().getMountBuilder().setVolumeMountGroup(group);
        return request;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prefix=../../etc/",
                "allow-other,dev,suid",
                "allow-other --endpoint-url=http://127.0.0.1:1",
                "--",
                "=x",
                "uid=0;id"
            })
    void optionsThatWantToBeMoreAreRefused(String option) throws IOException {
        refused(Code.INVALID_ARGUMENT, node.request(BUCKET, "a", option));
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "a,b", "--flag", "A", "x/y", ""})
    void namesThatAreNoBucketsAreRefused(String name) throws IOException {
        refused(Code.INVALID_ARGUMENT, node.request(BUCKET, "a").putVolumeContext("bucketName", name));
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "0x10", "1,allow_other", "99999999999", "root"})
    void groupsThatAreNoNumbersAreRefused(String group) throws IOException {
        refused(Code.INVALID_ARGUMENT, withGroup(group));
        assertNothingIsLeft();
    }

    @Test
    void targetsElsewhereAreRefused() throws IOException {
        List<String> targets = List.of(
                "/etc/s3csi",
                "/",
                "relative/mount",
                node.pods().toString(),
                node.pods() + "/../plugin/mnt/x",
                node.pods() + "/./a",
                node.plugin().resolve("mnt/x").toString(),
                node.pods() + "-beside/mount");
        for (String target : targets) {
            refused(Code.INVALID_ARGUMENT, node.request(BUCKET, "a").setTargetPath(target));
        }
        assertNothingIsLeft();
    }

    @Test
    void aTargetInsideOfAVolumeIsRefused() throws IOException {
        Path outer = node.publish(BUCKET, "a");

        assertThat(refused(
                        Code.ALREADY_EXISTS,
                        node.request(BUCKET, "b")
                                .setTargetPath(outer.resolve("inner").toString())))
                .contains("inside");

        node.unpublish(BUCKET, "a");
        assertNothingIsLeft();
    }

    /** A handle is a name and nothing else: what it looks like has no effect. */
    @Test
    void aHandleThatLooksLikeAPathIsOnlyAName() throws IOException {
        String handle = "../../../../etc/x,ro;--endpoint-url=http://127.0.0.1:1";
        Path target = node.publish(node.request(BUCKET, "a").setVolumeId(handle));

        assertThat(greeting(target)).isEqualTo(BUCKET);
        assertThat(node.mounts())
                .hasSize(2)
                .allSatisfy(mount -> assertThat(mount.options()).contains("nosuid", "nodev", "rw"));
        assertThat(sources()).allSatisfy(file -> assertThat(file).startsWith(node.plugin()));
        node.unpublish(handle, "a");
        assertNothingIsLeft();
    }

    /** What only an administrator may say is taken out; the volume works. */
    @Test
    void forbiddenOptionsAreStrippedWithAWarning() throws IOException {
        Path elsewhere = Scratch.directory("elsewhere");
        Path target = node.publish(node.request(
                BUCKET,
                "a",
                "endpoint-url=http://127.0.0.1:1",
                "profile=other",
                "ca-bundle=" + elsewhere.resolve("ca"),
                "log-directory=" + elsewhere,
                "cache " + elsewhere,
                "-o dev",
                "storage-class GLACIER"));

        assertThat(greeting(target)).isEqualTo(BUCKET);
        assertThat(elsewhere).isEmptyDirectory();
        assertThat(node.driver().log()).contains("--endpoint-url is ignored", "--profile is ignored");
        assertThat(node.mounts().stream().map(MountEntry::options).toList())
                .allSatisfy(options -> assertThat(options).contains("nodev"));
        node.unpublish(BUCKET, "a");
        assertNothingIsLeft();
    }

    /** On a node engines share its network and its memory, so a volume neither listens, nor posts, nor takes what it likes. */
    @Test
    void whatOnlyAnEngineInAPodMayDoIsStrippedWithAWarning() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (ServerSocket collector = new ServerSocket(0);
                NodeProgram small = startNode(Map.of(), "--max-memory-target=256")) {
            Path target = small.publish(small.request(
                    BUCKET,
                    "a",
                    "metrics-port " + port,
                    "otlp-endpoint=http://127.0.0.1:" + collector.getLocalPort(),
                    "otlp-export-interval 1",
                    "memory-target 100000"));

            assertThat(greeting(target)).isEqualTo(BUCKET);
            assertThat(small.driver().log())
                    .contains(
                            "--metrics-port is ignored",
                            "--otlp-endpoint is ignored",
                            "--memory-target is lowered to 256 MiB");
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .isInstanceOf(ConnectException.class);
            small.unpublish(BUCKET, "a");
            // The last push would be made when the mount ends.
            await("the end of the engine", () -> small.engines().isEmpty());
            collector.setSoTimeout(1);
            assertThatThrownBy(collector::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void keysAreSeenNowhere() throws IOException {
        Credentials.Keys keys = server.root();
        Map<String, String> broken = Map.of("access_key_id", "A", "secret_access_key", "canary-7d1e\nx");
        try (NodeProgram talkative = startNode(Map.of(), "--v=6")) {
            NodePublishVolumeRequest.Builder request =
                    talkative.request(BUCKET, "a").putVolumeContext("authenticationSource", "secret");
            assertThat(Refusals.refused(
                            Code.INVALID_ARGUMENT,
                            () -> talkative
                                    .node()
                                    .nodePublishVolume(request.clone()
                                            .putAllSecrets(broken)
                                            .build())))
                    .doesNotContain("canary-7d1e");
            talkative.publish(request.clone().putAllSecrets(SecretDirectory.content(keys)));
            FoundEngine engine = talkative.engines().getFirst();

            assertThat(talkative.driver().log() + talkative.driver().metrics())
                    .contains("NodePublishVolume")
                    .doesNotContain(keys.secretAccessKey(), "canary-7d1e");
            assertThat(ofProcess(engine, "cmdline") + ofProcess(engine, "environ"))
                    .doesNotContain(keys.secretAccessKey());
            assertThat(Files.readString(engine.comm().resolve("mounter.log"))).doesNotContain(keys.secretAccessKey());
        }
    }

    private static String ofProcess(FoundEngine engine, String file) throws IOException {
        return Files.readString(Path.of("/proc", Integer.toString(engine.pid()), file), StandardCharsets.ISO_8859_1);
    }
}
