package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;

class BodySigningTest {
    private final BodySigning signing = new BodySigning("bucket", Clock.systemUTC());
    private final Payload body = Payload.of(Arena.global().allocateFrom("body"));
    private final List<@Nullable String> sent = new ArrayList<>();

    private static StoreException refusal() {
        return new StoreException(
                new StoreFailure.Rejected(),
                StoreOperation.PUT_OBJECT,
                new StoreException.Answer(400, "InvalidRequest", "", ""),
                "refused on purpose");
    }

    /** What TLS protects needs no hash: whatever is wrong with the request, it is not that. */
    @Test
    void whatIsRefusedOverTlsIsSentOnce() {
        assertThatThrownBy(() -> signing.send(body, true, hash -> {
                    sent.add(hash);
                    throw refusal();
                }))
                .isInstanceOf(StoreException.class);
        assertThat(sent).hasSize(1).containsOnlyNulls();
    }

    @Test
    void whatIsRefusedInPlainTextIsSentOnceMoreWithItsHash() throws Exception {
        for (int i = 0; i < 2; i++) {
            signing.send(body, false, hash -> {
                sent.add(hash);
                if (hash == null) {
                    throw refusal();
                }
                return hash;
            });
        }
        assertThat(sent).hasSize(3);
        assertThat(sent.getFirst()).isNull();
        assertThat(sent.subList(1, 3)).doesNotContainNull();
    }
}
