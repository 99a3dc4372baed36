package s3csi.testbed.bench.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import s3csi.testbed.contender.Contender;

/** Something applications do with a mounted bucket. */
interface Job {
    /** As on the command line. */
    String name();

    String title();

    Medium medium();

    List<Contender> contenders();

    List<Bar> bars();

    /** How much is done in one turn. */
    Work work();

    /** Mountpoint slower than this was not set up right: three times what it needed on a machine of two cores. */
    default Optional<Duration> slowestPeer() {
        return Optional.empty();
    }

    default Optional<Duration> metadataTtl() {
        return Optional.empty();
    }

    /** Rounds before the measured ones; the first of them, on an engine that has just started, is reported as cold. */
    default int warmUps() {
        return 1;
    }

    /** Puts into the store what so many rounds need. */
    void prepare(BenchStore store, int rounds) throws IOException;

    /** Before the clock runs. */
    default void before(Turn turn) throws IOException {}

    /** What is measured. */
    void run(Turn turn) throws IOException;

    /** After the clock stopped: whether what was read or written is right. */
    void check(Turn turn, BenchStore store) throws IOException;
}
