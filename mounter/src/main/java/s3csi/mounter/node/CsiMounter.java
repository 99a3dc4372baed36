package s3csi.mounter.node;

import java.util.List;
import s3csi.linux.PeerCredentials;
import s3csi.linux.Processes;
import s3csi.mounter.command.UsageError;
import s3csi.mounter.log.BoundedFile;
import s3csi.program.CommandFile;
import s3csi.program.Release;

/** {@code scality-s3-csi-mounter}. */
public final class CsiMounter {
    private static final int WRONG_USAGE = 2;
    private static final int ROOT = 0;

    private CsiMounter() {}

    public static void main(String[] fromKernel) throws InterruptedException {
        System.exit(run(CommandFile.arguments(fromKernel)));
    }

    private static int run(List<String> arguments) throws InterruptedException {
        try {
            return switch (MounterCommand.parse(arguments)) {
                case MounterCommand.Print(String text) -> {
                    System.out.print(text);
                    yield 0;
                }
                case MounterCommand.Run run -> {
                    CommDirectory comm = new CommDirectory(run.comm());
                    StopRequests stop = StopRequests.install(comm);
                    OrphanWatch.startIfFirst();
                    yield engine(comm, run).run(stop::serving);
                }
            };
        } catch (UsageError e) {
            System.err.println("error: " + e.getMessage());
            return WRONG_USAGE;
        }
    }

    private static VolumeEngine engine(CommDirectory comm, MounterCommand.Run run) {
        int user = Processes.effectiveUserId();
        MountListener.Rules rules =
                new MountListener.Rules(run.patience(), MountListener.MESSAGE_WITHIN, peer -> isTrusted(peer, user));
        return new VolumeEngine(
                comm, rules, BoundedFile.ofStandardError(), Release.current().version());
    }

    private static boolean isTrusted(PeerCredentials peer, int user) {
        return peer.uid() == ROOT || peer.uid() == user;
    }
}
