package s3csi.control;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** What was told lately. What is tried again and again is not told again and again, but counted, and told with its count after a while. */
final class ToldBefore {
    static final Duration AGAIN_AFTER = Duration.ofMinutes(10);

    /** Of one object and reason. Messages that hold numbers which change each time are no reason for a flood. */
    static final int MOST_MESSAGES = 5;

    private static final int MOST_REMEMBERED = 2000;

    private record About(String uid, String reason) {}

    /** A message: when it was told, and how often it would have been since. */
    private static final class Told {
        private long since;
        private int missed;

        Told(long since) {
            this.since = since;
        }
    }

    private final LongSupplier nanoTime;

    /** Guarded by itself; the eldest goes when there are too many. */
    private final Map<About, Map<String, Told>> told = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<About, Map<String, Told>> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    ToldBefore(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** For how often it is to be told now; 0 for not now. */
    int countIfDue(String uid, String reason, String message) {
        long now = nanoTime.getAsLong();
        synchronized (told) {
            Map<String, Told> messages = told.computeIfAbsent(new About(uid, reason), _ -> new HashMap<>());
            Told known = messages.get(message);
            if (known == null) {
                messages.values().removeIf(one -> isOld(one, now));
                if (messages.size() >= MOST_MESSAGES) {
                    return 0;
                }
                messages.put(message, new Told(now));
                return 1;
            }
            known.missed++;
            if (!isOld(known, now)) {
                return 0;
            }
            int count = known.missed;
            known.since = now;
            known.missed = 0;
            return count;
        }
    }

    private static boolean isOld(Told one, long now) {
        return now - one.since >= AGAIN_AFTER.toNanos();
    }
}
