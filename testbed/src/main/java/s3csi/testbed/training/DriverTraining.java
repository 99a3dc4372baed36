package s3csi.testbed.training;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import s3csi.csi.v1.ControllerGetCapabilitiesRequest;
import s3csi.csi.v1.GetPluginInfoRequest;
import s3csi.csi.v1.NodeGetCapabilitiesRequest;
import s3csi.csi.v1.NodeGetInfoRequest;
import s3csi.csi.v1.NodeGetVolumeStatsRequest;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.testbed.csi.DriverProgram;
import s3csi.testbed.csi.NodeProgram;

/**
 * A working day of the driver on a node: every call that kubelet makes. The controller, of which a cluster has one, starts from the
 * same cache; its calls to the store are left out, because what is in a cache is in the memory of the driver on every node.
 */
final class DriverTraining {
    /** Writing the cache takes the JVM some seconds on its way out. */
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(3);

    private static final String BUCKET = "training-bucket";

    private DriverTraining() {}

    static void run(List<String> command, TrainingStore store) {
        Map<String, String> environment = Map.of(
                "CSI_NODE_NAME", "node",
                "AWS_ENDPOINT_URL", store.endpoint().toString(),
                "AWS_ACCESS_KEY_ID", "training",
                "AWS_SECRET_ACCESS_KEY", "training");
        // The program does not know where it is installed: the JVM is started by hand here.
        String mounter = "--mounter-command=" + Tools.program("scality-s3-csi-mounter");
        try (NodeProgram program =
                NodeProgram.start(command, environment, Scratch.directory("training"), "--v=4", mounter)) {
            DriverProgram driver = program.driver();
            driver.channel().identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
            driver.channel()
                    .controller()
                    .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance());
            if (Exercise.mayMount()) {
                exerciseNode(program);
            }
            driver.health();
            driver.metrics();
            driver.process().terminateWithin(WRITTEN_WITHIN);
        }
    }

    private static void exerciseNode(NodeProgram program) {
        program.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        program.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());
        String target = program.publish(BUCKET, "first").toString();
        program.publish(BUCKET, "second");
        program.publish(BUCKET, "first");
        program.node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(BUCKET)
                        .setVolumePath(target)
                        .build());
        program.unpublish(BUCKET, "first");
        program.unpublish(BUCKET, "second");
    }
}
