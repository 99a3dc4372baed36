package s3csi.testbed.bench.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import s3csi.testbed.contender.Contender;

/** The figures of one job, as they come in. */
final class Outcome {
    private final String name;
    private final String title;
    private final Work work;
    private final List<Bar> bars;
    private final Optional<Duration> slowestPeer;
    private final Map<Contender, Measurement> cold = new EnumMap<>(Contender.class);
    private final Map<Contender, List<Measurement>> warm = new EnumMap<>(Contender.class);
    private final Map<Contender, String> failures = new EnumMap<>(Contender.class);

    Outcome(String name, String title, Work work, List<Bar> bars, Optional<Duration> slowestPeer) {
        this.name = name;
        this.title = title;
        this.work = work;
        this.bars = List.copyOf(bars);
        this.slowestPeer = slowestPeer;
    }

    /** With the bars that can be told when only these take part. */
    static Outcome of(Job job, List<Contender> contenders) {
        List<Bar> bars = job.bars().stream()
                .filter(bar -> contenders.containsAll(bar.contenders()))
                .toList();
        return new Outcome(job.name(), job.title(), job.work(), bars, job.slowestPeer());
    }

    String name() {
        return name;
    }

    String title() {
        return title;
    }

    Work work() {
        return work;
    }

    List<Bar> bars() {
        return bars;
    }

    void cold(Contender contender, Measurement measurement) {
        cold.put(contender, measurement);
    }

    void warm(Contender contender, Measurement measurement) {
        warm.computeIfAbsent(contender, _ -> new ArrayList<>()).add(measurement);
    }

    /** One failure ends a contender's part in a job. */
    void failed(Contender contender, String why) {
        failures.put(contender, why);
    }

    Map<Contender, String> failures() {
        return failures;
    }

    Optional<Measurement> cold(Contender contender) {
        return Optional.ofNullable(cold.get(contender));
    }

    Optional<Measurement> median(Contender contender) {
        return failures.containsKey(contender)
                ? Optional.empty()
                : Optional.ofNullable(warm.get(contender)).map(Measurement::medianOf);
    }

    /** Whether the peer was so slow that the set-up must be wrong, and comparing with it would flatter us. */
    boolean isPeerTooSlow() {
        return slowestPeer.isPresent()
                && median(Contender.MOUNTPOINT)
                        .filter(peer ->
                                peer.seconds() * 1000 > slowestPeer.get().toMillis())
                        .isPresent();
    }

    boolean isGood() {
        return failures.isEmpty()
                && !isPeerTooSlow()
                && bars.stream()
                        .allMatch(bar -> bar.value(this).filter(bar::isHeldBy).isPresent());
    }
}
