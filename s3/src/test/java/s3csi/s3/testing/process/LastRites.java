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

    private static final List<Rite> RITES = new ArrayList<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(LastRites::perform, "last-rites"));
    }

    private LastRites() {}

    public static void beforeExit(Order order, Runnable work) {
        synchronized (RITES) {
            RITES.add(new Rite(order, work));
        }
    }

    private static void perform() {
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
                System.err.println("s3csi testbed: while cleaning up: " + failure);
            }
        }
    }
}
