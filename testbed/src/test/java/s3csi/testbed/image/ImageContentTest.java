package s3csi.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.volume.json.Json;

/** The image as built. */
@Tag("image")
final class ImageContentTest {
    private static final long LARGEST = 120_000_000;

    private static BuiltImage image;
    private static Path root;

    @BeforeAll
    static void unpack() throws IOException {
        image = BuiltImage.in("image");
        root = image.root();
    }

    @Test
    void everyPartIsWhatItsDigestSays() throws IOException {
        List<Map<String, Object>> parts = new ArrayList<>(image.layers());
        parts.add(BuiltImage.map(BuiltImage.list(image.index().get("manifests")).getFirst()));
        parts.add(BuiltImage.map(image.manifest().get("config")));
        for (Map<String, Object> part : parts) {
            assertThat(BuiltImage.digest(image.blob(part))).isEqualTo(BuiltImage.digest(part));
            assertThat(part).containsEntry("size", new Json.Other(Long.toString(Files.size(image.blob(part)))));
        }
        try (Stream<Path> blobs = Files.list(image.parts().resolve("blobs/sha256"))) {
            assertThat(blobs).hasSameSizeAs(parts);
        }
    }

    @Test
    void theConfigurationNamesTheContentOfTheLayers() throws IOException {
        List<Object> contents = new ArrayList<>();
        for (Map<String, Object> layer : image.layers()) {
            contents.add(BuiltImage.digestOfContent(image.blob(layer)));
        }
        assertThat(BuiltImage.map(image.config().get("rootfs"))).containsEntry("diff_ids", contents);
    }

    @Test
    void whatDockerLoadsIsTheSameImage() throws IOException {
        Map<String, Object> listed = BuiltImage.map(
                BuiltImage.list(Json.read(Files.readString(image.parts().resolve("manifest.json"))))
                        .getFirst());
        assertThat(listed.get("Config"))
                .isEqualTo(image.parts()
                        .relativize(image.blob(BuiltImage.map(image.manifest().get("config"))))
                        .toString());
        assertThat(BuiltImage.list(listed.get("Layers")))
                .isEqualTo(image.layers().stream()
                        .map(layer ->
                                image.parts().relativize(image.blob(layer)).toString())
                        .toList());
    }

    /** The other one was made without caches, with another umask. */
    @Test
    void twoBuildsDifferInTheCachesOnly() throws IOException {
        List<String> layers = image.layers().stream().map(BuiltImage::digest).toList();
        List<String> again = BuiltImage.in("image-again").layers().stream()
                .map(BuiltImage::digest)
                .toList();
        assertThat(again).hasSameSizeAs(layers);
        assertThat(again.subList(0, 4)).isEqualTo(layers.subList(0, 4));
        assertThat(again.getLast()).isNotEqualTo(layers.getLast());
    }

    @Test
    void theLastLayerHasTheCachesAndNothingElse() throws IOException {
        assertThat(listing(image.layers().getLast()).filter(line -> !line.startsWith("d")))
                .hasSize(4)
                .allMatch(line -> line.endsWith(".aot"));
    }

    @Test
    void everythingBelongsToRootAndNothingGivesRightsAway() throws IOException {
        for (Map<String, Object> layer : image.layers()) {
            assertThat(listing(layer))
                    .isNotEmpty()
                    .allMatch(line -> line.matches("(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|drwxrwxrwt|lrwxrwxrwx) +0/0 .*"));
        }
    }

    @Test
    void thereIsNoShellAndNoProgramThatNobodyNeeds() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            assertThat(files.filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                            .map(file -> file.getFileName().toString())
                            .filter(name -> !name.contains(".so")))
                    .containsExactlyInAnyOrder(
                            "java",
                            "jspawnhelper",
                            "mount-s3",
                            "mount.mount-s3",
                            "scality-csi-controller",
                            "scality-s3-csi-driver",
                            "scality-s3-csi-mounter");
        }
    }

    /** Types of the two that are left out are special cases of Jackson, Gson and SnakeYAML for what never comes here. */
    @Test
    void theRuntimeHasTheModulesThatTheJarsUse() throws IOException {
        Set<String> used = Pattern.compile("-> (java|jdk)\\.[a-z.]+")
                .matcher(jdeps())
                .results()
                .map(found -> found.group().substring("-> ".length()))
                .filter(module -> !Set.of("java.desktop", "java.sql").contains(module))
                .collect(Collectors.toSet());
        String release = Files.readString(root.resolve("opt/s3csi/java/release"));
        String modules = release.lines()
                .filter(line -> line.startsWith("MODULES="))
                .findFirst()
                .orElseThrow();
        assertThat(used).contains("java.net.http", "java.xml");
        assertThat(modules.substring("MODULES=".length()).replace("\"", "").split(" ", -1))
                .containsAll(used);
    }

    private static String jdeps() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-s", "--multi-release", "25", "--ignore-missing-deps"));
        jars().forEach(jar ->
                arguments.add(root.resolve("opt/s3csi/lib").resolve(jar).toString()));
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        int _ = ToolProvider.findFirst("jdeps").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        return printed.toString();
    }

    private static List<String> jars() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("opt/s3csi/lib"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .toList();
        }
    }

    @Test
    void theBillOfMaterialsNamesEveryJarAndWhatTheMachineGave() throws IOException {
        String text = Files.readString(root.resolve("opt/s3csi/sbom.json"));
        List<Map<String, Object>> components =
                BuiltImage.list(BuiltImage.map(Json.read(text)).get("components")).stream()
                        .map(BuiltImage::map)
                        .toList();
        assertThat(components)
                .allSatisfy(component -> assertThat(component).containsKeys("name", "version", "purl", "licenses"));
        assertThat(components.stream()
                        .filter(component -> component.containsKey("hashes"))
                        .map(component -> component.get("name") + "-" + component.get("version") + ".jar"))
                .containsExactlyInAnyOrderElementsOf(jars());
        assertThat(components.stream().map(component -> component.get("name")))
                .contains("openjdk", "libc6", "ca-certificates");
        assertThat(Path.of(image.archive().toString().replaceAll("tar$", "sbom.json")))
                .hasContent(text);
    }

    @Test
    void theLicencesOfWhatIsInItAreInIt() {
        assertThat(Stream.of(
                                "opt/s3csi/LICENSE",
                                "opt/s3csi/NOTICE",
                                "opt/s3csi/java/legal/java.base/LICENSE",
                                "usr/share/doc/libc6/copyright")
                        .map(root::resolve))
                .allSatisfy(file -> assertThat(file).isNotEmptyFile());
    }

    @Test
    void theImageIsNotLargerThanPromised() throws IOException {
        assertThat(Files.size(image.archive())).isLessThanOrEqualTo(LARGEST);
    }

    private static Stream<String> listing(Map<String, Object> layer) throws IOException {
        Path log = Scratch.directory("tar").resolve("log");
        String file = image.blob(layer).toString();
        ChildProcess.run(List.of("tar", "--numeric-owner", "-tvzf", file), Map.of(), log, Duration.ofMinutes(1));
        return Arrays.stream(Files.readString(log).split("\n", -1)).filter(line -> !line.isEmpty());
    }
}
