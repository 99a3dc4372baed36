package s3csi.testbed.image;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.volume.json.Json;

/** An archive that the launcher made, taken apart as those who import it do. */
record BuiltImage(Path archive, Path parts) {
    private static final Duration SOON = Duration.ofMinutes(2);

    /** The only one in a directory of build/. */
    static BuiltImage in(String directory) throws IOException {
        try (DirectoryStream<Path> archives =
                Files.newDirectoryStream(Path.of("..", "build", directory).toRealPath(), "*.tar")) {
            Path archive = archives.iterator().next();
            Path parts = Scratch.directory("image");
            unpack(archive, parts);
            return new BuiltImage(archive, parts);
        }
    }

    private static void unpack(Path archive, Path to) throws IOException {
        Path log = Scratch.directory("tar").resolve("log");
        ChildProcess.run(List.of("tar", "-xpf", archive.toString(), "-C", to.toString()), Map.of(), log, SOON);
    }

    /** One layer over the other, as a container's root. */
    Path root() throws IOException {
        Path root = Scratch.directory("root");
        for (Map<String, Object> layer : layers()) {
            unpack(blob(layer), root);
        }
        return root;
    }

    Map<String, Object> index() throws IOException {
        return map(Json.read(Files.readString(parts.resolve("index.json"))));
    }

    /** The manifest, as the index names it. */
    Map<String, Object> manifest() throws IOException {
        return read(map(list(index().get("manifests")).getFirst()));
    }

    Map<String, Object> config() throws IOException {
        return read(map(manifest().get("config")));
    }

    List<Map<String, Object>> layers() throws IOException {
        return list(manifest().get("layers")).stream().map(BuiltImage::map).toList();
    }

    Path blob(Map<String, Object> descriptor) {
        return parts.resolve("blobs/" + digest(descriptor).replace(':', '/'));
    }

    private Map<String, Object> read(Map<String, Object> descriptor) throws IOException {
        return map(Json.read(Files.readString(blob(descriptor))));
    }

    static String digest(Map<String, Object> descriptor) {
        return (String) requireNonNull(descriptor.get("digest"));
    }

    static String digest(Path file) throws IOException {
        return digest(Files.newInputStream(file));
    }

    static String digestOfContent(Path compressed) throws IOException {
        return digest(new GZIPInputStream(new BufferedInputStream(Files.newInputStream(compressed))));
    }

    private static String digest(InputStream content) throws IOException {
        MessageDigest digest = Digests.sha256();
        try (InputStream in = new DigestInputStream(content, digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return Digests.text(digest);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(@Nullable Object json) {
        return (Map<String, Object>) requireNonNull(json);
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(@Nullable Object json) {
        return (List<Object>) requireNonNull(json);
    }
}
