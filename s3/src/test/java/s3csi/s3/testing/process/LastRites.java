package s3csi.s3.testing.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What must happen when the JVM ends, in order; shutdown hooks of their own would run all at once. */
public final class LastRites {
    /** Nothing is unmounted while somebody could mount it again, and no directory goes with something mounted in it. */
    public enum Order {
        CHILDREN,
        MOUNTS,
        DIRECTORIES
    }

    private record Rite(Order order, Runnable work) {}

    private static final Object TAKING_AWAY = new Object();
    private static final List<Rite> RITES = new ArrayList<>();
    private static volatile boolean haveBegun;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(LastRites::perform, "last-rites"));
    }

    private LastRites() {}

    public static void beforeExit(Order order, Runnable work) {
        synchronized (RITES) {
            RITES.add(new Rite(order, work));
        }
    }

    /** Whether the JVM is ending, so that what other threads still try fails for that reason. */
    public static boolean haveBegun() {
        return haveBegun;
    }

    /**
     * Takes something away before the JVM ends. Two threads that remove the same trip over each other; so once the rites have begun they
     * do it all, and whoever else wanted to waits for the end.
     */
    public static void notMeanwhile(Runnable work) {
        synchronized (TAKING_AWAY) {
            work.run();
        }
    }

    private static void perform() {
        haveBegun = true;
        notMeanwhile(LastRites::performAll);
    }

    private static void performAll() {
        List<Rite> rites;
        synchronized (RITES) {
            rites = new ArrayList<>(RITES);
        }
        rites.sort(Comparator.comparing(Rite::order));
        for (Rite rite : rites) {
            try {
                rite.work().run();
            } catch (RuntimeException failure) {
                // The others still have to run, and nobody is left to catch this.
                System.err.println("s3csi testbed: while cleaning up: " + failure
                        + (failure.getCause() == null
                                ? ""
                                : ": " + failure.getCause().getMessage()));
            }
        }
    }
}
