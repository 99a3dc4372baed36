package s3csi.testbed.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** Makes the AOT caches of the programs: {@code Training <build directory>}. */
public final class Training {
    private Training() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path lib = Path.of(arguments[0], "lib");
        try (TrainingStore store = new TrainingStore()) {
            MountTraining.run(command(lib, "mount-s3"), store);
            report(lib, "mount-s3");
            MounterTraining.run(command(lib, "scality-s3-csi-mounter"), store);
            report(lib, "scality-s3-csi-mounter");
            DriverTraining.run(command(lib, "scality-s3-csi-driver"), store);
            report(lib, "scality-s3-csi-driver");
        }
        ControllerTraining.run(command(lib, "scality-csi-controller"));
        report(lib, "scality-csi-controller");
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
