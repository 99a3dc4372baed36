package s3csi.testbed.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import s3csi.volume.json.Json;

/** An image in one tar: the layout of OCI, which containerd and others import, with the list that {@code docker load} looks for. */
final class ImageArchive {
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

    private ImageArchive() {}

    /** The archive is there as a whole or not at all. */
    static void write(Path to, ImageName name, ImageSettings settings, List<ImageLayer> layers) throws IOException {
        byte[] config = settings.json(layers).getBytes(UTF_8);
        byte[] manifest = manifest(config, layers).getBytes(UTF_8);
        Path unfinished = to.resolveSibling(to.getFileName() + ".unfinished");
        try (TarWriter tar =
                new TarWriter(new BufferedOutputStream(Files.newOutputStream(unfinished)), settings.time())) {
            tar.file("oci-layout", 0644, "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(UTF_8));
            tar.file("index.json", 0644, index(manifest, name).getBytes(UTF_8));
            tar.file("manifest.json", 0644, dockerManifest(config, layers, name).getBytes(UTF_8));
            tar.directory("blobs", 0755);
            tar.directory("blobs/sha256", 0755);
            tar.file(blob(Digests.of(manifest)), 0644, manifest);
            tar.file(blob(Digests.of(config)), 0644, config);
            // Equal layers are one blob.
            for (ImageLayer layer : byDigest(layers).values()) {
                tar.file(blob(layer.digest()), 0644, layer.file());
            }
        }
        Files.move(unfinished, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Map<String, ImageLayer> byDigest(List<ImageLayer> layers) {
        Map<String, ImageLayer> blobs = new TreeMap<>();
        layers.forEach(layer -> blobs.put(layer.digest(), layer));
        return blobs;
    }

    private static String blob(String digest) {
        return "blobs/" + digest.replace(':', '/');
    }

    private static String manifest(byte[] config, List<ImageLayer> layers) {
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("schemaVersion", new Json.Other("2"));
        manifest.put("mediaType", MANIFEST);
        manifest.put("config", descriptor(CONFIG, Digests.of(config), config.length));
        manifest.put(
                "layers",
                layers.stream()
                        .map(layer -> descriptor(LAYER, layer.digest(), size(layer)))
                        .toList());
        return Json.text(manifest);
    }

    private static String index(byte[] manifest, ImageName name) {
        Map<String, Object> image = descriptor(MANIFEST, Digests.of(manifest), manifest.length);
        image.put("platform", ImageSettings.platform());
        image.put(
                "annotations",
                new TreeMap<>(Map.of(
                        "io.containerd.image.name", name.withHost(), "org.opencontainers.image.ref.name", name.tag())));
        Map<String, Object> index = new LinkedHashMap<>();
        index.put("schemaVersion", new Json.Other("2"));
        index.put("mediaType", "application/vnd.oci.image.index.v1+json");
        index.put("manifests", List.of(image));
        return Json.text(index);
    }

    private static String dockerManifest(byte[] config, List<ImageLayer> layers, ImageName name) {
        Map<String, Object> image = new LinkedHashMap<>();
        image.put("Config", blob(Digests.of(config)));
        image.put("RepoTags", List.of(name.text()));
        image.put("Layers", layers.stream().map(layer -> blob(layer.digest())).toList());
        return Json.text(List.of(image));
    }

    private static Map<String, Object> descriptor(String type, String digest, long size) {
        Map<String, Object> descriptor = new LinkedHashMap<>();
        descriptor.put("mediaType", type);
        descriptor.put("digest", digest);
        descriptor.put("size", new Json.Other(Long.toString(size)));
        return descriptor;
    }

    private static long size(ImageLayer layer) {
        try {
            return Files.size(layer.file());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
