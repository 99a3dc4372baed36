package s3csi.testbed.chart;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** Helm with the chart as it is in the project, and no cluster. */
final class Helm {
    static final Path CHART = Path.of("..", "chart");

    /** The only value that every release needs. */
    static final String ENDPOINT = "s3.endpointUrl=http://store.example:9000";

    /** Anybody's namespace but that of Kubernetes itself, so that none is right by chance. */
    static final String NAMESPACE = "storage";

    /** Helm as it is built here takes a cluster that it does not see for an old one. */
    private static final String KUBERNETES = "1.34.0";

    private static final Duration DEADLINE = Duration.ofMinutes(1);
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private Helm() {}

    /** What a command printed, and whether it went well. */
    record Result(boolean isDone, String printed) {}

    static Result run(String... arguments) {
        Path directory = Scratch.directory("helm");
        try {
            Path log = directory.resolve("printed");
            List<String> command = Stream.concat(Stream.of(Tools.built("helm").toString()), Stream.of(arguments))
                    .toList();
            try (ChildProcess helm = ChildProcess.start(
                    command,
                    Map.of(
                            "HOME", directory.toString(),
                            "HELM_CACHE_HOME", directory.toString(),
                            "HELM_CONFIG_HOME", directory.toString(),
                            "HELM_DATA_HOME", directory.toString()),
                    log)) {
                if (!helm.hasEndedWithin(DEADLINE)) {
                    throw new IllegalStateException(helm.story("is still running after " + DEADLINE));
                }
                return new Result(helm.exitCode() == 0, Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what helm printed", e);
        } finally {
            Scratch.delete(directory);
        }
    }

    /** What these values come to, or why not. */
    static Result template(List<String> values) {
        List<String> arguments = new ArrayList<>(List.of(
                "template", "s3-csi", CHART.toString(), "--namespace", NAMESPACE, "--kube-version", KUBERNETES));
        arguments.addAll(values);
        return run(arguments.toArray(String[]::new));
    }

    /** Words of {@code --set} behind the one that is needed. */
    static List<String> set(String... values) {
        return Stream.concat(Stream.of(ENDPOINT), Stream.of(values))
                .flatMap(value -> Stream.of("--set", value))
                .toList();
    }

    static String rendered(List<String> values) {
        Result result = template(values);
        if (!result.isDone()) {
            throw new AssertionError("helm refuses " + values + ": " + result.printed());
        }
        return result.printed();
    }

    static List<HasMetadata> objects(List<String> values) {
        return Stream.of(rendered(values).split("(?m)^---$", -1))
                .filter(text -> text.lines().anyMatch(line -> line.startsWith("kind: ")))
                .map(YAML::<HasMetadata>unmarshal)
                .toList();
    }

    /** The one of a kind and name. */
    static <T extends HasMetadata> T object(List<HasMetadata> objects, Class<T> kind, String name) {
        return objects.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " " + name));
    }
}
