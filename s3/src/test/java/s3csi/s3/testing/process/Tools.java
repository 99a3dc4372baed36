package s3csi.s3.testing.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the programs are that the launcher built or the machine has. */
public final class Tools {
    private Tools() {}

    /** A program that the launcher's set-up put into the tool directory, such as {@code minio}. */
    public static Path built(String name) {
        Path program = toolDirectory(System.getenv()).resolve(name);
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(
                    "%s is not there: it has not been built yet. ./s3csi setup builds it; S3CSI_TOOLS names another directory"
                            .formatted(program));
        }
        return program;
    }

    /** A program of the machine, found as a shell finds it. */
    public static Path installed(String name, String debianPackage) {
        return searchPath(System.getenv("PATH"))
                .map(directory -> directory.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "%s is not on the PATH. Install it (Debian package %s)".formatted(name, debianPackage)));
    }

    /** A program of ours, as {@code ./s3csi build} makes it. */
    public static Path program(String name) {
        String chosen = System.getenv().getOrDefault("S3CSI_PROGRAMS", "");
        Path directory = chosen.isEmpty() ? Path.of("..", "build", "bin") : Path.of(chosen);
        Path program = directory.resolve(name).toAbsolutePath().normalize();
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(program + " is not there. ./s3csi build makes it");
        }
        return program;
    }

    /** A program of the JDK that runs us. */
    public static Path ofTheJdk(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name);
    }

    static Path toolDirectory(Map<String, String> environment) {
        String chosen = environment.getOrDefault("S3CSI_TOOLS", "");
        return chosen.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache", "s3csi", "bin") : Path.of(chosen);
    }

    private static Stream<Path> searchPath(@Nullable String path) {
        return path == null
                ? Stream.empty()
                : Arrays.stream(path.split(":", -1))
                        .filter(part -> !part.isEmpty())
                        .map(Path::of);
    }
}
