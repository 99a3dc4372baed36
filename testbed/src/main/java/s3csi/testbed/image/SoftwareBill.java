package s3csi.testbed.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import s3csi.volume.json.Json;

/**
 * Writes the software bill of materials of an image, in the form of CycloneDX: {@code SoftwareBill NAME TIME ROOT NOTICE PACKAGES DEPENDENCIES...}.
 * PACKAGES has a line for each package of the distribution that gave files to the image: its package URL. DEPENDENCIES are lists that Maven
 * made, from which it is known whose the jars are. The same image has the same bill.
 */
public final class SoftwareBill {
    private static final String PRODUCT = "/opt/s3csi";

    private final Path root;
    private final Licenses licenses;

    private SoftwareBill(Path root, Licenses licenses) {
        this.root = root;
        this.licenses = licenses;
    }

    public static void main(String[] arguments) throws IOException {
        ImageName name = ImageName.of(arguments[0]);
        Path root = Path.of(arguments[2]);
        SoftwareBill bill = new SoftwareBill(root, Licenses.read(Path.of(arguments[3])));
        List<Component> components = new ArrayList<>();
        components.add(bill.runtime());
        Files.readAllLines(Path.of(arguments[4])).forEach(url -> components.add(bill.ofDistribution(url)));
        components.addAll(bill.jars(artifacts(Arrays.copyOfRange(arguments, 5, arguments.length)), name.tag()));
        Files.writeString(root.resolve("." + PRODUCT + "/sbom.json"), json(name, arguments[1], components));
    }

    private static String json(ImageName name, String time, List<Component> components) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("timestamp", time);
        metadata.put(
                "component",
                new Component("container", "", name.repository(), name.tag(), "", "Apache-2.0", "", "").json());
        Map<String, Object> bill = new LinkedHashMap<>();
        bill.put("bomFormat", "CycloneDX");
        bill.put("specVersion", "1.6");
        bill.put("version", new Json.Other("1"));
        bill.put("metadata", metadata);
        bill.put("components", components.stream().map(Component::json).toList());
        return Json.text(bill);
    }

    private Component runtime() throws IOException {
        Properties release = new Properties();
        try (var in = Files.newInputStream(root.resolve("." + PRODUCT + "/java/release"))) {
            release.load(in);
        }
        String version = release.getProperty("JAVA_VERSION").replace("\"", "");
        String url = "pkg:generic/openjdk@" + version;
        return new Component("platform", "", "openjdk", version, url, licenses.of("openjdk"), "", PRODUCT + "/java");
    }

    /** A URL such as {@code pkg:deb/debian/libc6@2.41-12?arch=amd64}. */
    private Component ofDistribution(String url) {
        String name = url.substring(url.lastIndexOf('/') + 1, url.indexOf('@'));
        String version = url.substring(url.indexOf('@') + 1, url.indexOf('?'));
        return new Component("library", "", name, version, url, licenses.of(name), "", "");
    }

    private List<Component> jars(Map<String, Artifact> artifacts, String ownVersion) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("." + PRODUCT + "/lib"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(file -> jar(file, artifacts, ownVersion))
                    .toList();
        }
    }

    private Component jar(Path file, Map<String, Artifact> artifacts, String ownVersion) {
        String name = file.getFileName().toString();
        Artifact artifact = artifacts.get(name);
        if (artifact == null) {
            // The programs' own jars depend on the others, and nothing on them.
            artifact = new Artifact("s3csi", name.replace("-" + ownVersion + ".jar", ""), ownVersion);
        }
        try {
            return new Component(
                    "library",
                    artifact.group(),
                    artifact.name(),
                    artifact.version(),
                    "pkg:maven/" + artifact.group() + "/" + artifact.name() + "@" + artifact.version(),
                    artifact.group().equals("s3csi") ? "Apache-2.0" : licenses.of(name),
                    Digests.of(Files.readAllBytes(file)),
                    PRODUCT + "/lib/" + name);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private record Artifact(String group, String name, String version) {
        String file() {
            return name + "-" + version + ".jar";
        }
    }

    /** By the names of their jars, of lines such as {@code io.grpc:grpc-api:jar:1.83.0}; what Maven writes around them is left out. */
    private static Map<String, Artifact> artifacts(String[] lists) throws IOException {
        Map<String, Artifact> artifacts = new HashMap<>();
        for (String list : lists) {
            for (String line : Files.readAllLines(Path.of(list))) {
                String[] parts = line.strip().split("[: ]", 5);
                if (parts.length >= 4 && parts[2].equals("jar")) {
                    Artifact artifact = new Artifact(parts[0], parts[1], parts[3]);
                    artifacts.put(artifact.file(), artifact);
                }
            }
        }
        return artifacts;
    }
}
