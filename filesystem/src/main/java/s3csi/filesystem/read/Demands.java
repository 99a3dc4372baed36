package s3csi.filesystem.read;

import java.util.ArrayList;
import java.util.List;

/** The reads of one open file that wait. What they wait for must not be dropped. Guarded by the lock of the reader. */
final class Demands {
    private final List<Demand> demands = new ArrayList<>();

    /** Has no value of its own: two reads of the same range are two. */
    static final class Demand {
        private final long from;
        private final long to;

        private Demand(long from, long to) {
            this.from = from;
            this.to = to;
        }
    }

    Demand add(long from, long to) {
        Demand demand = new Demand(from, to);
        demands.add(demand);
        return demand;
    }

    void remove(Demand demand) {
        demands.remove(demand);
    }

    /** From where on a read waits for bytes of this range; its end if none does. */
    long wantedFrom(long from, long to) {
        long wanted = to;
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.from < to && demand.to > from) {
                wanted = Math.min(wanted, Math.max(from, demand.from));
            }
        }
        return wanted;
    }
}
