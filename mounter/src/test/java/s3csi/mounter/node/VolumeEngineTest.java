package s3csi.mounter.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import s3csi.linux.FuseDevice;
import s3csi.linux.FuseMountOptions;
import s3csi.linux.MountTable;
import s3csi.linux.Mounts;
import s3csi.linux.UnixStream;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.server.MinioServer;
import s3csi.volume.EngineTrouble;
import s3csi.volume.mount.EngineReport;
import s3csi.volume.mount.MountMessage;

/** A mounter in this JVM that is handed a real mount, as a node service does it. */
@Tag("engine")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class VolumeEngineTest {
    private static final String BUCKET = "handed-over";
    private static final Duration LONG = Duration.ofMinutes(1);

    private static MinioServer server;

    @TempDir
    private Path scratch;

    private Path comm;
    private Path source;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @BeforeAll
    static void startServer() {
        server = MinioServer.startInMemory();
        server.createBucket(BUCKET);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void makeDirectories() throws Exception {
        comm = Files.createDirectory(scratch.resolve("comm"));
        source = Files.createDirectory(scratch.resolve("source")).toRealPath();
    }

    @AfterEach
    void unmount() throws Exception {
        if (MountTable.current().topAt(source).isPresent()) {
            Mounts.unmount(source, Mounts.Unmount.FORCE);
        }
    }

    private static List<String> environment() {
        return List.of(
                "AWS_ACCESS_KEY_ID=" + MinioServer.ROOT.accessKeyId(),
                "AWS_SECRET_ACCESS_KEY=" + MinioServer.ROOT.secretAccessKey(),
                "AWS_REGION=" + MinioServer.REGION,
                "AWS_ENDPOINT_URL=" + server.endpoint());
    }

    private CompletableFuture<Integer> start() {
        CommDirectory directory = new CommDirectory(comm);
        VolumeEngine engine = new VolumeEngine(directory, new MountListener.Rules(LONG, LONG, _ -> true), log, "test");
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                end.complete(engine.run(_ -> {}));
            } catch (InterruptedException | RuntimeException e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    /** Mounts as a node service does, and keeps the device open as long as that does. */
    private FuseDevice handOver(boolean readOnly, MountMessage message) throws Exception {
        FuseDevice device = FuseDevice.open();
        Mounts.mountFuse(
                device,
                "mountpoint-s3",
                source,
                FuseMountOptions.ownedBy(0, 0).withAllowOther(true).withReadOnly(readOnly));
        try (UnixStream stream = connect()) {
            stream.send(message.toBytes(), List.of(device.descriptor()));
            stream.endOutput();
        }
        return device;
    }

    private UnixStream connect() {
        return Sockets.connect(comm.resolve("mount.sock"));
    }

    private CompletableFuture<Integer> serve(boolean readOnly, String... options) throws Exception {
        var mounter = start();
        try (FuseDevice _ = handOver(readOnly, new MountMessage(BUCKET, List.of(options), environment()))) {
            // Answered when the engine has answered the kernel's INIT.
            assertThat(Files.isDirectory(source))
                    .as(() -> log.toString(StandardCharsets.UTF_8))
                    .isTrue();
        }
        return mounter;
    }

    private EngineReport refused(MountMessage message) throws Exception {
        var mounter = start();
        handOverInVain(message);
        Path exit = Files.createFile(comm.resolve("mount.exit"));
        assertThat(mounter.get()).isZero();
        Files.delete(exit);
        return EngineReport.parse(Files.readAllBytes(comm.resolve("mount.err")));
    }

    private void handOverInVain(MountMessage message) throws Exception {
        try (FuseDevice _ = handOver(false, message)) {
            Await.until(
                    LONG,
                    () -> "the mounter reports nothing: " + log.toString(StandardCharsets.UTF_8),
                    () -> Files.exists(comm.resolve("mount.err")));
        }
        Mounts.unmount(source, Mounts.Unmount.FORCE);
    }

    private void unmountWanted() throws Exception {
        Files.createFile(comm.resolve("mount.exit"));
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
    }

    @Test
    void aMountIsServedUntilItIsUnmountedAsWanted() throws Exception {
        var mounter = serve(false, "--allow-root", "--force-path-style", "--allow-delete");
        assertThat(comm.resolve("mount.sock")).doesNotExist();
        byte[] bytes = new byte[3_000_000];
        new Random(1).nextBytes(bytes);
        Files.write(source.resolve("file"), bytes);
        assertThat(Files.readAllBytes(source.resolve("file"))).isEqualTo(bytes);
        Files.delete(source.resolve("file"));

        unmountWanted();
        assertThat(mounter.get()).isZero();
        assertThat(comm.resolve("mount.err")).doesNotExist();
    }

    @Test
    void aMountThatGoesAwayUnwantedIsAReasonToRunAgain() throws Exception {
        var mounter = serve(false, "--allow-root");
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
        assertThat(mounter.get()).isEqualTo(1);
    }

    @Test
    void severalMountsLiveInOneProcess() throws Exception {
        List<CompletableFuture<Integer>> mounters = new ArrayList<>();
        List<Path> sources = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            comm = Files.createDirectory(scratch.resolve("comm-" + name));
            source = Files.createDirectory(scratch.resolve("source-" + name)).toRealPath();
            mounters.add(serve(false, "--allow-root", "--prefix=" + name + "/", "--allow-overwrite"));
            sources.add(source);
        }
        for (Path each : sources) {
            Files.writeString(each.resolve("name"), each.toString());
        }
        for (Path each : sources) {
            assertThat(each.resolve("name")).hasContent(each.toString());
            Mounts.unmount(each, Mounts.Unmount.PLAIN);
        }
        for (var mounter : mounters) {
            assertThat(mounter.get()).isEqualTo(1);
        }
    }

    @Test
    void readOnlyIsTheKernelsBusinessAndNoReasonToRefuse() throws Exception {
        var mounter = serve(true, "--allow-root", "--read-only");
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.createFile(source.resolve("x")))
                .withMessageContaining("Read-only");
        unmountWanted();
        assertThat(mounter.get()).isZero();
    }

    @Test
    void aCacheOfTheNodeIsUsedAndOneOfTheVolumeIsNot() throws Exception {
        Path ofTheNode = comm.resolve("cache");
        var mounter = serve(false, "--allow-root", "--allow-overwrite", "--cache=" + ofTheNode);
        Files.write(source.resolve("cached"), new byte[2 << 20]);
        Files.readAllBytes(source.resolve("cached"));
        assertThat(ofTheNode.resolve("mountpoint-cache")).isDirectory();
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
        assertThat(mounter.get()).isEqualTo(1);

        Path ofTheVolume = scratch.resolve("of-the-volume");
        mounter = serve(false, "--allow-root", "--cache=" + ofTheVolume);
        Files.readAllBytes(source.resolve("cached"));
        assertThat(ofTheVolume).doesNotExist();
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
        assertThat(mounter.get()).isEqualTo(1);
    }

    @Test
    void theEnvironmentIsTheMessagesAlone() throws Exception {
        // The JVM of the tests has no such variables, and the message names none.
        EngineReport report = refused(new MountMessage(
                BUCKET,
                List.of("--allow-root"),
                List.of("AWS_ENDPOINT_URL=" + server.endpoint(), "AWS_REGION=us-east-1")));
        assertThat(report.trouble()).isEqualTo(EngineTrouble.NO_CREDENTIALS);
    }

    @Test
    void aMountThatWasRefusedIsServedByTheSameMounterOnceItIsMended() throws Exception {
        var mounter = start();
        for (String missing : List.of("missing-one", "missing-two")) {
            handOverInVain(new MountMessage(missing, List.of("--allow-root"), environment()));
            Files.delete(comm.resolve("mount.err"));
        }
        try (FuseDevice _ = handOver(false, new MountMessage(BUCKET, List.of("--allow-root"), environment()))) {
            Files.writeString(source.resolve("mended"), "x");
        }
        unmountWanted();
        assertThat(mounter.get()).isZero();
        assertThat(comm.resolve("mount.err")).doesNotExist();
    }

    @Test
    void everyRefusalHasItsWord() throws Exception {
        List<String> badKey = new ArrayList<>(environment());
        badKey.set(1, "AWS_SECRET_ACCESS_KEY=not-the-one-that-minio-knows");
        // A bundle is of interest only where something speaks TLS.
        List<String> overTls = new ArrayList<>(environment());
        overTls.set(3, environment().get(3).replace("http:", "https:"));
        Map<MountMessage, EngineTrouble> refusals = Map.of(
                new MountMessage("no-such-bucket", List.of(), environment()),
                EngineTrouble.NO_SUCH_BUCKET,
                new MountMessage(BUCKET, List.of(), badKey),
                EngineTrouble.WRONG_KEYS,
                new MountMessage(BUCKET, List.of("--no-such-option"), environment()),
                EngineTrouble.INVALID_FIELD,
                new MountMessage(BUCKET, List.of("--prefix=no-slash"), environment()),
                EngineTrouble.INVALID_FIELD,
                new MountMessage(BUCKET, List.of("another-bucket"), environment()),
                EngineTrouble.INVALID_FIELD,
                new MountMessage(BUCKET, List.of("--help"), environment()),
                EngineTrouble.INVALID_FIELD,
                new MountMessage("b", List.of(), environment()),
                EngineTrouble.INVALID_FIELD,
                new MountMessage(BUCKET, List.of("--ca-bundle=/no/such/file"), overTls),
                EngineTrouble.CERTIFICATE_NOT_TRUSTED);
        for (var refusal : refusals.entrySet()) {
            EngineReport report = refused(refusal.getKey());
            assertThat(report.trouble())
                    .as("%s: %s", refusal.getKey(), report.words())
                    .isEqualTo(refusal.getValue());
            assertThat(report.words()).startsWith("Error: ");
            Files.delete(comm.resolve("mount.err"));
        }
    }

    /** Whoever wrote the volume has to change it; nothing is wrong with the engine. */
    @Test
    void aProxyAnInterfaceOrAPortThatCannotBeUsedIsAnInvalidField() throws Exception {
        try (ServerSocket used = new ServerSocket(0)) {
            String port = Integer.toString(used.getLocalPort());
            List<String> withProxy = new ArrayList<>(environment());
            withProxy.add("HTTPS_PROXY=socks5://proxy.example");
            Map<MountMessage, String> refusals = Map.of(
                    new MountMessage(BUCKET, List.of("--metrics-port=" + port), environment()),
                    "on port " + port + "; choose another --metrics-port",
                    new MountMessage(BUCKET, List.of("--bind=no-such-card"), environment()),
                    "no-such-card",
                    new MountMessage(BUCKET, List.of(), withProxy),
                    "the proxy in HTTPS_PROXY cannot be used");
            for (var refusal : refusals.entrySet()) {
                EngineReport report = refused(refusal.getKey());
                assertThat(report.trouble()).as(report.words()).isEqualTo(EngineTrouble.INVALID_FIELD);
                assertThat(report.words()).contains(refusal.getValue());
                Files.delete(comm.resolve("mount.err"));
            }
        }
    }

    @Test
    void anOptionThatIsMisspeltIsToldWithTheRightOneAndWhereToCorrectIt() throws Exception {
        EngineReport report = refused(new MountMessage(BUCKET, List.of("--alow-delete"), environment()));
        assertThat(report.words())
                .isEqualTo(
                        "Error: the mountOptions of the volume cannot be used: unexpected argument '--alow-delete' found;"
                                + " a similar argument exists: '--allow-delete'\n");
    }

    @Test
    void aStoreThatIsAwayIsUnreachable() throws Exception {
        EngineReport report = refused(new MountMessage(
                BUCKET,
                List.of(),
                List.of(
                        "AWS_ACCESS_KEY_ID=a",
                        "AWS_SECRET_ACCESS_KEY=b",
                        "AWS_MAX_ATTEMPTS=1",
                        "AWS_ENDPOINT_URL=http://127.0.0.1:9")));
        assertThat(report.trouble()).isEqualTo(EngineTrouble.ENDPOINT_UNREACHABLE);
        assertThat(report.words()).contains("127.0.0.1:9");
    }

    @Test
    void keysAreNotLogged() throws Exception {
        var mounter = serve(false, "--allow-root", "--debug", "--debug-crt");
        assertThat(source).isDirectory();
        Files.writeString(source.resolve("logged"), "x");
        Mounts.unmount(source, Mounts.Unmount.PLAIN);
        mounter.get();
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("mount message for " + BUCKET)
                .doesNotContain(MinioServer.ROOT.secretAccessKey());
    }
}
