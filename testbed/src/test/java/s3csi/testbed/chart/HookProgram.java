package s3csi.testbed.chart;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.testbed.cluster.ControlPlane;
import s3csi.testbed.cluster.Rights;

/** A hook of the chart: its program as built, with the arguments and the rights that the chart gives to its Job. */
final class HookProgram {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final ControlPlane plane;
    private final List<String> arguments;
    private final Rights rights;

    private HookProgram(ControlPlane plane, List<String> arguments, Rights rights) {
        this.plane = plane;
        this.arguments = arguments;
        this.rights = rights;
    }

    static HookProgram of(ControlPlane plane, String name, String... values) {
        List<HasMetadata> objects = Helm.objects(Helm.set(values));
        List<HasMetadata> roles = objects.stream()
                .filter(object -> object instanceof Role || object instanceof ClusterRole)
                .filter(object -> object.getMetadata().getName().equals(name))
                .toList();
        Job job = Helm.object(objects, Job.class, name);
        return new HookProgram(
                plane,
                job.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs(),
                Rights.grant(plane, roles));
    }

    /** The same without one of its arguments. */
    HookProgram without(String argument) {
        return new HookProgram(
                plane, arguments.stream().filter(word -> !word.equals(argument)).toList(), rights);
    }

    /** How it ended, and what it printed. */
    record Ending(int code, String printed) {}

    Rights rights() {
        return rights;
    }

    Running start(String... more) {
        Path directory = Scratch.directory("hook");
        List<String> command = Stream.of(
                        Stream.of(Tools.program("scality-csi-controller").toString()),
                        arguments.stream(),
                        Stream.of("--kubeconfig=" + plane.kubeconfigOfStranger()),
                        Stream.of(more))
                .flatMap(words -> words)
                .toList();
        return new Running(ChildProcess.start(command, Map.of(), directory.resolve("log")), directory);
    }

    Ending run(String... more) {
        return start(more).ending();
    }

    /** One that has not ended yet. */
    record Running(ChildProcess process, Path directory) {
        private Path log() {
            return directory.resolve("log");
        }

        Ending ending() {
            try (process) {
                if (!process.hasEndedWithin(DEADLINE)) {
                    throw new IllegalStateException(process.story("is still running after " + DEADLINE));
                }
                return new Ending(process.exitCode(), Files.readString(log()));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read what the hook printed", e);
            } finally {
                Scratch.delete(directory);
            }
        }
    }
}
