package s3csi.testbed.mounter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.FuseDevice;
import s3csi.linux.LinuxException;
import s3csi.linux.Pipe;
import s3csi.linux.Processes;
import s3csi.linux.UnixStream;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.s3.S3Clients;
import s3csi.volume.EngineTrouble;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;
import software.amazon.awssdk.services.s3.S3Client;

/** The mounter as built: how it ends, what it says when it cannot mount, and who may talk to it. */
@Tag("engine")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MounterProgramTest {
    private static final String BUCKET = "mounter-program";
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int NOBODY = 65534;

    private final MinioServer server = MinioServer.start();

    MounterProgramTest() {
        try (S3Client client = S3Clients.root(server)) {
            client.createBucket(request -> request.bucket(BUCKET));
        }
    }

    @AfterAll
    void close() {
        server.close();
    }

    private static List<String> environment(S3Server store, Credentials.Keys keys) {
        return List.of(
                "AWS_ACCESS_KEY_ID=" + keys.accessKeyId(),
                "AWS_ENDPOINT_URL=" + store.endpoint(),
                "AWS_MAX_ATTEMPTS=2",
                "AWS_REGION=" + store.region(),
                "AWS_SECRET_ACCESS_KEY=" + keys.secretAccessKey());
    }

    private MountMessage message(String... options) {
        return new MountMessage(BUCKET, List.of(options), environment(server, server.root()));
    }

    private MountMessage usual() {
        return message("--allow-delete", "--allow-overwrite", "--allow-root", "--force-path-style");
    }

    private EngineReport refused(MountMessage message) throws IOException {
        try (MounterProgram mounter = MounterProgram.start();
                FuseDevice _ = mounter.handOver(message)) {
            EngineReport report = mounter.awaitReport();
            // It waits for the next one, until it is told that there will be none.
            assertThat(mounter.process().isAlive()).as(() -> mounter.log()).isTrue();
            mounter.wantEnd();
            assertThat(mounter.exitCode()).as(() -> mounter.log()).isZero();
            assertThat(report.words()).startsWith("Error: ");
            return report;
        }
    }

    @Test
    void itServesUntilItIsUnmountedAsWanted() throws Exception {
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.mount(usual());
            byte[] bytes = new byte[20 << 20];
            new Random(3).nextBytes(bytes);
            Files.write(mounter.source().resolve("file"), bytes);
            assertThat(Files.readAllBytes(mounter.source().resolve("file"))).isEqualTo(bytes);
            assertThat(mounter.comm().resolve("mount.sock")).doesNotExist();
            mounter.wantEnd();
            mounter.unmount();
            assertThat(mounter.exitCode()).isZero();
            assertThat(mounter.log())
                    .contains("INFO main s3csi.mounter.node.VolumeEngine: serving bucket " + BUCKET)
                    .doesNotContain(server.root().secretAccessKey());
        }
    }

    @Test
    void itPushesMetricsWhereTheVolumeSays() throws Exception {
        BlockingQueue<String> pushed = new LinkedBlockingQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> {
            try (exchange) {
                pushed.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
                exchange.sendResponseHeaders(200, -1);
            }
        });
        collector.start();
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.mount(message(
                    "--allow-root",
                    "--force-path-style",
                    "--otlp-endpoint=http://localhost:" + collector.getAddress().getPort(),
                    "--otlp-export-interval=1"));
            assertThat(pushed.poll(SOON.toSeconds(), TimeUnit.SECONDS))
                    .contains("mountpoint-s3", "s3.request_count", "ListObjectsV2", "process.memory_usage");
        } finally {
            collector.stop(0);
        }
    }

    @Test
    void anUnwantedEndIsAReasonToRunAgainAndThenItServesAgain() throws Exception {
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.mount(usual());
            mounter.unmount();
            assertThat(mounter.exitCode()).isEqualTo(1);
            mounter.startAgain();
            mounter.mount(usual());
            assertThat(mounter.source()).isDirectory();
        }
    }

    @Test
    void aKilledMounterLeavesNothingInTheWayOfTheNext() throws Exception {
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.awaitLog("waiting for a mount");
            mounter.process().kill();
            assertThat(mounter.comm().resolve("mount.sock")).exists();
            mounter.startAgain();
            mounter.mount(usual());
            assertThat(mounter.source()).isDirectory();
        }
    }

    @Test
    void beforeAMountASignalEndsItAtOnce() throws Exception {
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.awaitLog("waiting for a mount");
            assertThat(mounter.process().terminateWithin(Duration.ofSeconds(5))).isEqualTo(143);
        }
    }

    @Test
    void mountExitEndsTheWaitingWithSuccess() throws Exception {
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.awaitLog("waiting for a mount");
            mounter.wantEnd();
            assertThat(mounter.exitCode()).isZero();
            mounter.startAgain();
            assertThat(mounter.exitCode()).isZero();
        }
    }

    @Test
    void aServedMountOutlivesEverySignalThatMeansStop() throws Exception {
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.mount(usual());
            for (int signal : List.of(Processes.SIGTERM, Processes.SIGINT, Processes.SIGHUP)) {
                Processes.kill(mounter.process().pid(), signal);
            }
            Processes.kill(mounter.process().pid(), Processes.SIGTERM);
            for (String name : List.of("SIGTERM", "SIGINT", "SIGHUP")) {
                mounter.awaitLog(name + " is ignored");
            }
            Files.writeString(mounter.source().resolve("after"), "the signals");
            assertThat(mounter.source().resolve("after")).hasContent("the signals");
            mounter.wantEnd();
            mounter.unmount();
            assertThat(mounter.exitCode()).isZero();
        }
    }

    @Test
    void aBucketThatIsNotThere() throws Exception {
        EngineReport report = refused(
                new MountMessage("no-such-bucket", List.of("--allow-root"), environment(server, server.root())));
        assertThat(report.trouble()).isEqualTo(EngineTrouble.NO_SUCH_BUCKET);
        assertThat(report.words()).contains("no-such-bucket", "does not exist");
    }

    @Test
    void keysThatAreWrong() throws Exception {
        Credentials.Keys wrong = new Credentials.Keys(server.root().accessKeyId(), "a-secret-that-is-wrong");
        EngineReport report = refused(new MountMessage(BUCKET, List.of(), environment(server, wrong)));
        assertThat(report.trouble()).isEqualTo(EngineTrouble.WRONG_KEYS);
        assertThat(report.words()).doesNotContain(wrong.secretAccessKey());
    }

    @Test
    void aStoreThatIsAway() throws Exception {
        try (MinioServer gone = MinioServer.start()) {
            gone.stop();
            EngineReport report = refused(new MountMessage(BUCKET, List.of(), environment(gone, gone.root())));
            assertThat(report.trouble()).isEqualTo(EngineTrouble.ENDPOINT_UNREACHABLE);
            assertThat(report.words()).contains(gone.endpoint().getAuthority());
        }
    }

    @Test
    void aStoreWhoseCertificateNobodyVouchesFor(@TempDir Path directory) throws Exception {
        Path stranger = Files.writeString(
                directory.resolve("ca.pem"), PrivateCa.create().certificatePem());
        try (MinioServer secure = MinioServer.startWithTls(PrivateCa.create())) {
            List<String> environment = new ArrayList<>(environment(secure, secure.root()));
            EngineReport report = refused(new MountMessage(BUCKET, List.of(), environment));
            assertThat(report.trouble()).isEqualTo(EngineTrouble.CERTIFICATE_NOT_TRUSTED);
            environment.add("AWS_CA_BUNDLE=" + stranger);
            report = refused(new MountMessage(BUCKET, List.of(), environment));
            assertThat(report.trouble()).isEqualTo(EngineTrouble.CERTIFICATE_NOT_TRUSTED);
        }
    }

    @Test
    void aTokenServiceThatSaysNothing(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "token");
        try (ScriptedServer silent = new ScriptedServer((_, reply) -> reply.stall())) {
            EngineReport report = refused(new MountMessage(
                    BUCKET,
                    List.of(),
                    List.of(
                            "AWS_ENDPOINT_URL=" + server.endpoint(),
                            "AWS_ENDPOINT_URL_STS=" + silent.address(),
                            "AWS_REGION=" + server.region(),
                            "AWS_ROLE_ARN=arn:aws:iam::1:role/r",
                            "AWS_WEB_IDENTITY_TOKEN_FILE=" + token)));
            assertThat(report.trouble()).isEqualTo(EngineTrouble.NO_CREDENTIALS);
            assertThat(report.words()).contains("the token service " + silent.address());
        }
    }

    @Test
    void optionsThatMakeNoSense() throws Exception {
        for (String option :
                List.of("--no-such-option", "--uid=somebody", "--auto-unmount", "another-bucket", "--cache")) {
            EngineReport report = refused(message(option));
            assertThat(report.trouble()).as(option).isEqualTo(EngineTrouble.INVALID_FIELD);
            assertThat(report.words()).contains(option.replaceFirst("=.*", ""));
        }
    }

    @Test
    void aProxyAnInterfaceOrAPortThatCannotBeUsedIsAFaultOfTheOptions() throws Exception {
        List<String> environment = new ArrayList<>(environment(server, server.root()));
        environment.add("HTTPS_PROXY=nonsense://[");
        environment.add("HTTP_PROXY=nonsense://[");
        assertThat(refused(new MountMessage(BUCKET, List.of(), environment)).trouble())
                .isEqualTo(EngineTrouble.INVALID_FIELD);
        assertThat(refused(message("--bind=no-such-card")))
                .returns(EngineTrouble.INVALID_FIELD, EngineReport::trouble)
                .satisfies(report -> assertThat(report.words()).contains("no-such-card"));
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThat(refused(message("--metrics-port=" + taken.getLocalPort())))
                    .returns(EngineTrouble.INVALID_FIELD, EngineReport::trouble)
                    .satisfies(report -> assertThat(report.words()).contains("choose another --metrics-port"));
        }
    }

    @Test
    void whatIsNoMountIsAnsweredAndTheNextOneServed() throws Exception {
        try (MounterProgram mounter = MounterProgram.start();
                Pipe pipe = Pipe.open()) {
            mounter.send("garbage".getBytes(StandardCharsets.UTF_8), List.of());
            assertThat(mounter.awaitReport().words()).contains("could not use");
            Files.delete(mounter.comm().resolve("mount.err"));

            mounter.send(usual().toBytes(), List.of(pipe.writer()));
            assertThat(mounter.awaitReport().words()).contains("it is not /dev/fuse but a pipe");
            Files.delete(mounter.comm().resolve("mount.err"));

            try {
                mounter.send(new byte[8 << 20], List.of());
            } catch (LinuxException cut) {
                assertThat(cut).hasMessageContaining("sendmsg");
            }
            assertThat(mounter.awaitReport().words()).contains("too large");
            Files.delete(mounter.comm().resolve("mount.err"));

            mounter.mount(usual());
            assertThat(mounter.source()).isDirectory();
            assertThat(mounter.comm().resolve("mount.err")).doesNotExist();
        }
    }

    @Test
    void whoConnectsAndNeverSendsIsLeftBehind() throws Exception {
        try (MounterProgram mounter = MounterProgram.start();
                UnixStream _ = mounter.connect()) {
            mounter.mount(usual());
            assertThat(mounter.source()).isDirectory();
        }
    }

    @Test
    void aStrangerIsSentAway(@TempDir Path directory) throws Exception {
        try (MounterProgram mounter = MounterProgram.start()) {
            mounter.awaitLog("waiting for a mount");
            Path socket = mounter.comm().resolve("mount.sock");
            // Directories and mode let the stranger pass, so that only what the kernel says about it can stop it.
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            for (Path each = socket;
                    each.startsWith(temporary) && !each.equals(temporary);
                    each = requireNonNull(each.getParent())) {
                Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
            ChildProcess.run(
                    List.of(
                            Tools.installed("setpriv", "util-linux").toString(),
                            "--reuid=" + NOBODY,
                            "--regid=" + NOBODY,
                            "--clear-groups",
                            Tools.installed("perl", "perl-base").toString(),
                            "-MIO::Socket::UNIX",
                            "-e",
                            "IO::Socket::UNIX->new($ARGV[0]) or die $!",
                            socket.toString()),
                    Map.of(),
                    directory.resolve("stranger.log"),
                    SOON);
            mounter.awaitLog("of user " + NOBODY + " wants to hand a mount over and is sent away");
            mounter.mount(usual());
            assertThat(mounter.source()).isDirectory();
        }
    }

    @Test
    void asFirstProcessOfAContainerItTakesNoteOfOrphans(@TempDir Path directory) throws Exception {
        List<String> command = List.of(
                Tools.installed("unshare", "util-linux").toString(),
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                Tools.program("scality-s3-csi-mounter").toString());
        try (MounterProgram mounter = MounterProgram.start(command)) {
            mounter.awaitLog("waiting for a mount");
            ProcessHandle first = ProcessHandle.of(mounter.process().pid())
                    .orElseThrow()
                    .descendants()
                    .reduce((_, last) -> last)
                    .orElseThrow();
            // The shell ends before its child, which the first process inherits, and which lives until it was seen.
            Path end = directory.resolve("end");
            ChildProcess.run(
                    List.of(
                            Tools.installed("nsenter", "util-linux").toString(),
                            "--target=" + first.pid(),
                            "--pid",
                            "sh",
                            "-c",
                            "until [ -e '" + end + "' ]; do sleep 0.1; done & exit 0"),
                    Map.of(),
                    directory.resolve("orphan.log"),
                    SOON);
            Await.until(
                    SOON,
                    () -> "the orphan did not come",
                    () -> first.children().count() == 1);
            Files.createFile(end);
            Await.until(
                    SOON,
                    () -> "the orphan stays a zombie",
                    () -> first.children().count() == 0);
        }
    }

    @Test
    void wrongFlagsEndWithTwo(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("log");
        try (ChildProcess program = ChildProcess.start(
                List.of(Tools.program("scality-s3-csi-mounter").toString(), "--no-such-flag"), Map.of(), log)) {
            assertThat(program.hasEndedWithin(SOON)).isTrue();
            assertThat(program.exitCode()).isEqualTo(2);
            assertThat(log).content().isEqualTo("error: there is no flag '--no-such-flag'; --help shows the flags\n");
        }
    }
}
