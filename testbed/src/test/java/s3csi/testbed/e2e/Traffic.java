package s3csi.testbed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.util.List;
import java.util.function.UnaryOperator;

/** A pod that makes, reads and removes files of its volume without a pause, and notes everything that fails. */
record Traffic(ClusterStage stage, Pod pod) {
    /** Some rounds later than whatever is being looked at. */
    private static final int ROUNDS = 3;

    private static final String SCRIPT = """
            round=0
            while :; do
                round=$((round + 1))
                file=/data/$HOSTNAME-$round
                {
                    echo "$round" >"$file" && [ "$(cat "$file")" = "$round" ] && rm "$file" && cat /data/greeting >/dev/null
                } 2>>/tmp/failed || echo "round $round failed" >>/tmp/failed
                echo "$round" >/tmp/round.new && mv /tmp/round.new /tmp/round
                usleep 50000
            done
            """;

    /** Starts it, on a volume that has a {@code greeting}, and waits for its first rounds. */
    static Traffic on(ClusterStage stage, String name, String claim) {
        return on(stage, name, claim, pod -> pod);
    }

    static Traffic on(ClusterStage stage, String name, String claim, UnaryOperator<PodSpecBuilder> changed) {
        Traffic traffic = new Traffic(
                stage,
                stage.runningWorkload(
                        name,
                        List.of(claim),
                        pod -> changed.apply(pod)
                                .editFirstContainer()
                                .withCommand("sh", "-c", SCRIPT)
                                .endContainer()));
        ClusterStage.await(() -> "no traffic has begun", () -> traffic.round() > 0);
        traffic.assertGoesOn();
        return traffic;
    }

    /** More rounds are made, and none since the first has failed. */
    void assertGoesOn() {
        int until = round() + ROUNDS;
        ClusterStage.await(() -> "the traffic stands still: " + failures(), () -> round() >= until);
        assertThat(failures()).isEmpty();
        assertThat(stage.client.resource(pod).get().getStatus().getContainerStatuses())
                .allSatisfy(status -> assertThat(status.getRestartCount()).isZero());
    }

    private int round() {
        return Integer.parseInt(stage.shell(pod, "cat /tmp/round 2>/dev/null || echo 0"));
    }

    private String failures() {
        return stage.shell(pod, "cat /tmp/failed 2>/dev/null || true");
    }
}
