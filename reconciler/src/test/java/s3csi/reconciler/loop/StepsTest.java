package s3csi.reconciler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers of an API server mean that nothing was written, so that a Mountpoint Pod may be taken back. */
class StepsTest {
    private static KubernetesClientException answer(int code) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage("made to fail").build());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 422})
    void aDecisionAgainstItIsARefusal(int code) {
        assertThat(Steps.isRefusal(answer(code))).isTrue();
    }

    /** The pod of an attachment that was written after all must stay. */
    @ParameterizedTest
    @ValueSource(ints = {409, 429, 500, 502, 503, 504})
    void whatMayHaveBeenDoneOrMayBeDoneLaterIsNone(int code) {
        assertThat(Steps.isRefusal(answer(code))).isFalse();
    }

    @Test
    void noAnswerIsNone() {
        assertThat(Steps.isRefusal(new KubernetesClientException("the answer was lost")))
                .isFalse();
    }
}
