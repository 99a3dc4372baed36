package s3csi.testbed.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import s3csi.csi.v1.ControllerGetCapabilitiesRequest;
import s3csi.csi.v1.ControllerGrpc.ControllerBlockingStub;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.VolumeCapability;
import s3csi.csi.v1.VolumeCapability.AccessMode;
import s3csi.csi.v1.VolumeCapability.MountVolume;
import s3csi.testbed.csi.ControllerProgram;
import s3csi.testbed.process.Scratch;
import s3csi.testbed.process.Tools;

/** Makes the AOT caches of the programs: {@code Training <build directory>}. */
public final class Training {
    /** Writing the cache takes the JVM some seconds on its way out. */
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(3);

    private Training() {}

    public static void main(String[] arguments) throws IOException {
        Path lib = Path.of(arguments[0], "lib");
        Path directory = Scratch.directory("training");
        try (TrainingStore store = new TrainingStore();
                ControllerProgram program = ControllerProgram.start(
                        command(lib, "scality-s3-csi-driver"),
                        Map.of(
                                "CSI_CONTROLLER_ONLY", "true",
                                "CSI_NODE_NAME", "controller",
                                "AWS_ENDPOINT_URL", store.endpoint().toString(),
                                "AWS_ACCESS_KEY_ID", "training",
                                "AWS_SECRET_ACCESS_KEY", "training"),
                        directory,
                        "--v=4")) {
            exercise(program);
            program.process().terminateWithin(WRITTEN_WITHIN);
        }
        Path cache = lib.resolve("scality-s3-csi-driver.aot");
        if (!Files.exists(cache)) {
            throw new IllegalStateException(
                    "the JVM wrote no cache:\n" + Files.readString(directory.resolve("driver.log")));
        }
        System.out.println(cache + ": " + Files.size(cache) + " bytes");
    }

    /** The program's own arguments, but with a cache to write instead of one to read. */
    private static List<String> command(Path lib, String program) throws IOException {
        String arguments =
                Files.readString(lib.resolve(program + ".args")).replace("-XX:AOTCache=", "-XX:AOTCacheOutput=");
        Path training = Files.writeString(Scratch.directory("arguments").resolve("training.args"), arguments);
        return new ArrayList<>(List.of(Tools.ofTheJdk("java").toString(), "@" + training, program));
    }

    private static void exercise(ControllerProgram program) {
        program.channel().identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        ControllerBlockingStub controller = program.channel().controller();
        controller.controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance());
        CreateVolumeRequest request = CreateVolumeRequest.newBuilder()
                .setName("pvc-training")
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setMount(MountVolume.getDefaultInstance())
                        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.MULTI_NODE_MULTI_WRITER)))
                .build();
        String id = controller.createVolume(request).getVolume().getVolumeId();
        controller.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
        program.health();
        program.metrics();
    }
}
