package s3csi.testbed.training;

import java.time.Duration;
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

/** A working day of the controller: every call that a sidecar makes. */
final class ControllerTraining {
    /** Writing the cache takes the JVM some seconds on its way out. */
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(3);

    private ControllerTraining() {}

    static void run(List<String> command, TrainingStore store) {
        Map<String, String> environment = Map.of(
                "CSI_CONTROLLER_ONLY", "true",
                "CSI_NODE_NAME", "controller",
                "AWS_ENDPOINT_URL", store.endpoint().toString(),
                "AWS_ACCESS_KEY_ID", "training",
                "AWS_SECRET_ACCESS_KEY", "training");
        try (ControllerProgram program =
                ControllerProgram.start(command, environment, Scratch.directory("training"), "--v=4")) {
            exercise(program);
            program.process().terminateWithin(WRITTEN_WITHIN);
        }
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
