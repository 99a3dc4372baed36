package s3csi.driver.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static s3csi.driver.registration.StandInKubelet.await;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.driver.grpc.CallLog;
import s3csi.driver.grpc.CallMetrics;
import s3csi.registration.v1.PluginInfo;

class KubeletRegistrationTest {
    private static final Path CSI = Path.of("/var/lib/kubelet/plugins/s3.csi.scality.com/csi.sock");

    private final CallLog log = new CallLog(new CallMetrics(new PrometheusRegistry()));

    @TempDir
    Path directory;

    private Path socket() {
        return directory.resolve("s3.csi.scality.com-reg.sock");
    }

    private KubeletRegistration started(Duration pause) throws IOException {
        KubeletRegistration registration = new KubeletRegistration(new Registration(directory, CSI), log, pause);
        registration.start();
        return registration;
    }

    private KubeletRegistration started() throws IOException {
        return started(Duration.ofMillis(100));
    }

    private StandInKubelet kubelet() throws IOException {
        return new StandInKubelet(directory, _ -> Optional.empty());
    }

    @Test
    void kubeletFindsTheDriverAndIsToldWhereItIs() throws Exception {
        try (StandInKubelet kubelet = kubelet()) {
            try (KubeletRegistration registration = started()) {
                await("registered", () -> !kubelet.registered().isEmpty());
                assertThat(kubelet.asked())
                        .containsExactly(PluginInfo.newBuilder()
                                .setType("CSIPlugin")
                                .setName("s3.csi.scality.com")
                                .setEndpoint(CSI.toString())
                                .addSupportedVersions("1.0.0")
                                .build());
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                        .isEqualTo("rwx------");
                assertThat(registration.trouble()).isEmpty();
            }
            assertThat(socket()).doesNotExist();
            await("forgotten", () -> kubelet.registered().isEmpty());
        }
    }

    @Test
    void aKubeletThatStartsLaterFindsTheDriver() throws Exception {
        try (KubeletRegistration registration = started()) {
            assertThat(registration.trouble()).isEmpty();
            try (StandInKubelet kubelet = kubelet()) {
                await("registered", () -> !kubelet.registered().isEmpty());
            }
        }
    }

    @Test
    void aDriverThatIsNotTakenSaysWhyAndAsksAgain() throws Exception {
        String reason = "rpc error: " + "x".repeat(5000);
        AtomicInteger times = new AtomicInteger();
        CountDownLatch seen = new CountDownLatch(1);
        try (StandInKubelet kubelet = new StandInKubelet(directory, _ -> {
                    if (times.incrementAndGet() < 3) {
                        return Optional.of(reason);
                    }
                    try {
                        seen.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Optional.empty();
                });
                KubeletRegistration registration = started()) {
            await("asked for the third time", () -> times.get() == 3);
            assertThat(registration.trouble()).hasValue("kubelet has not taken the driver: " + reason);
            seen.countDown();
            await("registered", () -> registration.trouble().isEmpty());
            assertThat(kubelet.registered()).hasSize(1);
        } finally {
            seen.countDown();
        }
    }

    @Test
    void aDriverThatStopsDoesNotAskAgain() throws Exception {
        try (StandInKubelet kubelet = new StandInKubelet(directory, _ -> Optional.of("no"))) {
            try (KubeletRegistration registration = started(Duration.ofMillis(1))) {
                await("refused", () -> registration.trouble().isPresent());
            }
            await("the socket is gone", () -> Files.notExists(socket()));
            assertThat(kubelet.registered()).isEmpty();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aSocketThatSomebodyRemovedIsFoundAgain() throws Exception {
        try (StandInKubelet kubelet = kubelet();
                KubeletRegistration _ = started()) {
            await("registered", () -> !kubelet.registered().isEmpty());
            Files.delete(socket());
            await("asked again", () -> kubelet.asked().size() == 2);
            await("registered", () -> !kubelet.registered().isEmpty());
        }
    }

    @Test
    void whatAnEarlierDriverLeftIsReplaced() throws Exception {
        try (ServerSocketChannel stale = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stale.bind(UnixDomainSocketAddress.of(socket()));
        }
        try (StandInKubelet kubelet = kubelet();
                KubeletRegistration _ = started()) {
            await("registered", () -> !kubelet.registered().isEmpty());
        }
    }

    @Test
    void aDirectoryThatIsMissingIsAnError() {
        assertThatThrownBy(() -> new KubeletRegistration(
                                new Registration(directory.resolve("missing"), CSI), log, Duration.ofMillis(100))
                        .start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no directory " + directory.resolve("missing"));
    }
}
