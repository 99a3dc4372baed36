package s3csi.filesystem.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetRequest;
import s3csi.s3.ObjectStore;
import s3csi.s3.StoreException;
import s3csi.s3.testing.StoredObject;

/** Reads when memory is short. */
final class LoneReadTest extends ReaderFixture {
    /** A store that sends the first half and says that this was all. */
    private ObjectStore halving() {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (_, called, arguments) -> {
                    assertThat(called.getName()).isEqualTo("get");
                    GetRequest asked = (GetRequest) arguments[0];
                    ByteRange half =
                            new ByteRange(asked.range().offset(), asked.range().length() / 2);
                    return memory.get(new GetRequest(asked.key(), half, asked.version()), (BodySink) arguments[1]);
                });
    }

    private ObjectVersion ramp(int size) {
        StoredObject object = memory.addRamp("object", size, SEED);
        return new ObjectVersion("object", Objects.requireNonNull(object.info().etag()), size);
    }

    @Test
    void itGivesAllThatWasAskedForAndKeepsNothing() throws Exception {
        RecordingReply reply = new RecordingReply();
        LoneRead.answer(readers, ramp(MIB), 5, 300 * KIB, reply);
        assertThat(reply.bytes()).hasSize(300 * KIB);
        assertThat(pool.used()).isZero();
    }

    /** The memory has room for all of it, with the bytes of others. */
    @Test
    void anAnswerThatIsTooShortIsNone() {
        RecordingReply reply = new RecordingReply();
        try (Readers others = new Readers(halving(), pool, ReadSettings.DEFAULT)) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> LoneRead.answer(others, ramp(MIB), 5, 300 * KIB, reply));
        }
        assertThat(reply.isAnswered()).isFalse();
        assertThat(pool.used()).isZero();
    }
}
