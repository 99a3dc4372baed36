package s3csi.testbed.contender;

import java.nio.file.Path;
import s3csi.s3.testing.process.Scratch;

/** A bucket mounted by a contender, for as long as this is open. */
public final class EngineMount implements AutoCloseable {
    private final Contender contender;
    private final MountProgram program;
    private final double startSeconds;

    private EngineMount(Contender contender, Wanted wanted) {
        this.contender = contender;
        Path home = Scratch.directory("mount");
        long started = System.nanoTime();
        this.program = MountProgram.start(
                home, contender.command(wanted, MountProgram.directoryIn(home)), contender.environment(wanted.keys()));
        this.startSeconds = (System.nanoTime() - started) / 1e9;
    }

    public static EngineMount of(Contender contender, Wanted wanted) {
        return new EngineMount(contender, wanted);
    }

    public Contender contender() {
        return contender;
    }

    public Path directory() {
        return program.directory();
    }

    public long pid() {
        return program.process().pid();
    }

    /** From starting the program to an answer of the mounted file system. */
    public double startSeconds() {
        return startSeconds;
    }

    /** Ends the engine as a crash would: whoever waits in the mount is set free. */
    public void kill() {
        program.process().kill();
    }

    public String story(String what) {
        return program.process().story(what);
    }

    @Override
    public void close() {
        program.close();
    }
}
