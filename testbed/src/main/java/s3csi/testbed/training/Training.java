package s3csi.testbed.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** Makes the AOT caches of the programs: {@code Training <build directory>}. */
public final class Training {
    private Training() {}

    private interface Lesson {
        void run(List<String> command) throws IOException, InterruptedException;
    }

    private interface LessonWithStore {
        void run(List<String> command, TrainingStore store) throws IOException, InterruptedException;
    }

    /** Two at a time: each is one JVM that does one thing after the other, and then one that writes the cache. */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        Path lib = Path.of(arguments[0], "lib");
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            Future<?> mounter = train(two, lib, "scality-s3-csi-mounter", withStore(MounterTraining::run));
            List<Future<?>> others = List.of(
                    train(two, lib, "mount-s3", withStore(MountTraining::run)),
                    train(two, lib, "scality-csi-controller", ControllerTraining::run),
                    train(two, lib, "scality-s3-csi-driver", withStore((command, store) -> {
                        // The driver starts mounters, which must not find half a cache.
                        awaitEnd(mounter);
                        DriverTraining.run(command, store);
                    })));
            for (Future<?> other : others) {
                other.get();
            }
        }
    }

    /** Each has a store of its own: there is one bucket in it. */
    private static Lesson withStore(LessonWithStore lesson) {
        return command -> {
            try (TrainingStore store = new TrainingStore()) {
                lesson.run(command, store);
            }
        };
    }

    private static Future<?> train(ExecutorService threads, Path lib, String program, Lesson lesson) {
        return threads.submit(() -> {
            lesson.run(command(lib, program));
            report(lib, program);
            return program;
        });
    }

    private static void awaitEnd(Future<?> training) throws InterruptedException {
        try {
            training.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("what comes before failed", e);
        }
    }

    /** The program's own arguments, but with a cache to write instead of one to read. */
    private static List<String> command(Path lib, String program) throws IOException {
        String arguments =
                Files.readString(lib.resolve(program + ".args")).replace("-XX:AOTCache=", "-XX:AOTCacheOutput=");
        Path training = Files.writeString(Scratch.directory("arguments").resolve("training.args"), arguments);
        return List.of(Tools.ofTheJdk("java").toString(), "@" + training, program);
    }

    private static void report(Path lib, String program) throws IOException {
        Path cache = lib.resolve(program + ".aot");
        if (!Files.exists(cache)) {
            throw new IllegalStateException("the JVM of " + program + " wrote no cache on its way out");
        }
        System.out.println(cache + ": " + Files.size(cache) + " bytes");
    }
}
