package s3csi.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.s3.S3Clients;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The programs in the image as built, each in a container of its own with a read-only root. */
@Tag("image")
final class ImageRunTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int MOUNTPOINT = 1000;
    private static final int NOBODY_KNOWN = 123_456;
    private static final int ENGINES = 10;
    private static final String BUCKET = "of-the-image";
    private static final String FILE = "Käse und 日本語";

    /** The launcher prints it after the suite. */
    private static final Path FIGURES = Path.of("target", "image.txt");

    private static Path root;
    private static MinioServer server;

    @BeforeAll
    static void unpackAndStore() throws IOException {
        root = BuiltImage.in("image").root();
        server = MinioServer.start();
        try (S3Client client = S3Clients.root(server)) {
            client.createBucket(request -> request.bucket(BUCKET));
            client.putObject(request -> request.bucket(BUCKET).key(FILE), RequestBody.fromString("content"));
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scality-s3-csi-driver",
                "scality-csi-controller",
                "scality-s3-csi-mounter",
                "mount-s3",
                "mount.mount-s3"
            })
    void aProgramStartsForAnyUserAndComplainsOfNothing(String program) throws IOException {
        for (int user : List.of(0, MOUNTPOINT, NOBODY_KNOWN)) {
            assertThat(ImageContainer.run(root, user, Map.of(), "/bin/" + program, "--version"))
                    .contains("3.0.0")
                    .doesNotContainIgnoringCase("warn");
            assertThat(ImageContainer.run(root, user, Map.of(), program, "--help"))
                    .contains("Usage: ")
                    .doesNotContainIgnoringCase("warn");
        }
    }

    /** With this option a JVM ends at its start where its cache is missing or does not fit. */
    @ParameterizedTest
    @ValueSource(strings = {"scality-s3-csi-driver", "scality-csi-controller", "scality-s3-csi-mounter", "mount-s3"})
    void aProgramTakesItsClassesFromItsCache(String program) throws IOException {
        Map<String, String> insisting = Map.of("JDK_JAVA_OPTIONS", "-XX:AOTMode=on");
        assertThat(ImageContainer.run(root, MOUNTPOINT, insisting, "/bin/" + program, "--version"))
                .contains("3.0.0");
    }

    /** By the name localhost, which glibc looks up. */
    @Test
    void aBucketIsMountedFromTheImageAndItsNamesAreInAnyLanguage() throws IOException {
        try (ImageContainer engine = mount()) {
            assertThat(engine.inside("/tmp/mount").resolve(FILE)).hasContent("content");
            assertThat(Files.readString(Path.of("/proc/" + engine.process().pid() + "/maps")))
                    .contains("/mount-s3.aot");
            assertThat(engine.inside("/etc/passwd").toFile().setWritable(true)).isFalse();
        }
    }

    /** What of their memory is the image's files is there once, for all of them. */
    @Test
    void enginesShareThePagesOfTheImage() throws IOException {
        List<ImageContainer> engines = new ArrayList<>();
        try {
            for (int number = 0; number < ENGINES; number++) {
                engines.add(mount());
            }
            long resident = 0;
            long files = 0;
            long share = 0;
            for (ImageContainer engine : engines) {
                assertThat(engine.inside("/tmp/mount").resolve(FILE)).hasContent("content");
                resident += engine.kilobytes("status", "VmRSS");
                files += engine.kilobytes("status", "RssFile");
                share += engine.kilobytes("smaps_rollup", "Pss_File");
            }
            Files.writeString(
                    FIGURES,
                    "%d engines from the image: %.1f MB resident each, %.1f MB of it files, of which there are %.1f MB in memory for all%n"
                            .formatted(ENGINES, resident / 1e3 / ENGINES, files / 1e3 / ENGINES, share / 1e3));
            assertThat(share).isLessThan(files / ENGINES * 2);
        } finally {
            engines.forEach(ImageContainer::close);
        }
    }

    private static ImageContainer mount() {
        ImageContainer engine = ImageContainer.start(
                root,
                0,
                Map.of(
                        "AWS_ACCESS_KEY_ID",
                        server.root().accessKeyId(),
                        "AWS_SECRET_ACCESS_KEY",
                        server.root().secretAccessKey()),
                "/bin/mount-s3",
                BUCKET,
                "/tmp/mount",
                "--foreground",
                "--region=" + server.region(),
                "--endpoint-url=http://localhost:" + server.endpoint().getPort());
        Await.until(
                SOON,
                () -> engine.process().story("has not mounted"),
                () -> Files.exists(engine.inside("/tmp/mount").resolve(FILE)));
        return engine;
    }
}
