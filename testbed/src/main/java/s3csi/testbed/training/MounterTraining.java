package s3csi.testbed.training;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.mounter.MounterProgram;
import s3csi.volume.mount.MountMessage;

/** The same life for a mount that is handed over, from the waiting to the wanted end. */
final class MounterTraining {
    private static final Duration WRITTEN_WITHIN = Duration.ofMinutes(3);

    private MounterTraining() {}

    static void run(List<String> command, TrainingStore store) throws IOException {
        if (!Exercise.mayMount()) {
            System.out.println("scality-s3-csi-mounter is trained to start only: mounting takes root and /dev/fuse");
            List<String> version = List.of(command.get(0), command.get(1), command.get(2), "--version");
            ChildProcess.run(version, Map.of(), Scratch.directory("training").resolve("mounter.log"), WRITTEN_WITHIN);
            return;
        }
        try (MounterProgram mounter = MounterProgram.start(command)) {
            mounter.mount(new MountMessage(
                    "training-bucket",
                    List.of("--allow-delete", "--allow-overwrite", "--allow-root", "--force-path-style"),
                    List.of(
                            "AWS_ACCESS_KEY_ID=training",
                            "AWS_ENDPOINT_URL=" + store.endpoint(),
                            "AWS_REGION=us-east-1",
                            "AWS_SECRET_ACCESS_KEY=training")));
            Exercise.in(mounter.source());
            mounter.wantEnd();
            mounter.unmount();
            if (!mounter.process().hasEndedWithin(WRITTEN_WITHIN)) {
                throw new IllegalStateException(mounter.process().story("has not ended"));
            }
        }
    }
}
