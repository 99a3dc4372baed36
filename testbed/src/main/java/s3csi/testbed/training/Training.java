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

/** Makes the AOT caches of the programs: {@code Training <directory of their jars> <home of the Java runtime that they run in>}. */
public final class Training {
    private Training() {}

    private interface Lesson {
        void run(List<String> command) throws IOException, InterruptedException;
    }

    /** Where they are laid out, and what runs them. */
    private record Programs(Path lib, Path java) {
        /** The program's own arguments, but with a cache to write instead of one to read. */
        List<String> command(String program) throws IOException {
            String arguments =
                    Files.readString(lib.resolve(program + ".args")).replace("-XX:AOTCache=", "-XX:AOTCacheOutput=");
            Path training = Files.writeString(Scratch.directory("arguments").resolve("training.args"), arguments);
            return List.of(java.toString(), "@" + training, program);
        }

        void report(String program) throws IOException {
            Path cache = lib.resolve(program + ".aot");
            if (!Files.exists(cache)) {
                throw new IllegalStateException("the JVM of " + program + " wrote no cache on its way out");
            }
            System.out.println(cache + ": " + Files.size(cache) + " bytes");
        }
    }

    private interface LessonWithStore {
        void run(List<String> command, TrainingStore store) throws IOException, InterruptedException;
    }

    /** Two at a time: each is one JVM that does one thing after the other, and then one that writes the cache. */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        Programs programs = new Programs(Path.of(arguments[0]), Path.of(arguments[1], "bin", "java"));
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            Future<?> mounter = train(two, programs, "scality-s3-csi-mounter", withStore(MounterTraining::run));
            List<Future<?>> others = List.of(
                    train(two, programs, "mount-s3", withStore(MountTraining::run)),
                    train(two, programs, "scality-csi-controller", ControllerTraining::run),
                    train(two, programs, "scality-s3-csi-driver", withStore((command, store) -> {
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

    private static Future<?> train(ExecutorService threads, Programs programs, String program, Lesson lesson) {
        return threads.submit(() -> {
            lesson.run(programs.command(program));
            programs.report(program);
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
}
