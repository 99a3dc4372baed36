package s3csi.testbed.csi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import s3csi.s3.credentials.Credentials;

/**
 * A Secret as kubelet mounts it: files are links into {@code ..data}, which itself is a link to a directory with all of them
 * and is swapped by a rename.
 */
public final class SecretDirectory {
    private static final String DATA = "..data";

    private final Path path;
    private int version;

    public SecretDirectory(Path path, Map<String, String> content) {
        this.path = path;
        try {
            Files.createDirectories(path);
            swap(content);
            for (String name : content.keySet()) {
                Files.createSymbolicLink(path.resolve(name), Path.of(DATA, name));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot mount a Secret at " + path, failure);
        }
    }

    public Path path() {
        return path;
    }

    /** Keys as a Secret carries them. */
    public static Map<String, String> content(Credentials.Keys keys) {
        return Map.of("access_key_id", keys.accessKeyId(), "secret_access_key", keys.secretAccessKey());
    }

    public void rotate(Credentials.Keys keys) {
        rotate(content(keys));
    }

    public void rotate(Map<String, String> content) {
        try {
            swap(content);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot rotate the Secret at " + path, failure);
        }
    }

    private void swap(Map<String, String> content) throws IOException {
        Path fresh = Files.createDirectory(path.resolve("..version-" + ++version));
        for (Map.Entry<String, String> file : content.entrySet()) {
            Files.writeString(fresh.resolve(file.getKey()), file.getValue());
        }
        Path link = Files.createSymbolicLink(path.resolve("..data_tmp"), fresh.getFileName());
        Files.move(link, path.resolve(DATA), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
