package s3csi.filesystem.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.testing.PoolFixture;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetRequest;
import s3csi.s3.ObjectStore;
import s3csi.s3.testing.MemoryObjectStore;
import s3csi.s3.testing.StoredObject;

final class StoredBytesTest extends PoolFixture {
    private final MemoryObjectStore memory = new MemoryObjectStore();

    /** A store that sends the first half and says that this was all. */
    private ObjectStore halving() {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (_, called, arguments) -> {
                    assertThat(called.getName()).isEqualTo("get");
                    GetRequest asked = (GetRequest) arguments[0];
                    ByteRange half = new ByteRange(0, asked.range().length() / 2);
                    return memory.get(new GetRequest(asked.key(), half, asked.version()), (BodySink) arguments[1]);
                });
    }

    /** Written behind the missing bytes, the rest of the file would be in the wrong place. */
    @Test
    void aFileOfWhichBytesAreMissingIsNotWrittenOn() throws Exception {
        StoredObject object = memory.add("f", new byte[1000]);
        StoredCopy stored = new StoredCopy(Objects.requireNonNull(object.info().etag()), 1000);
        try (FilledPart part = new FilledPart(pool, 5000)) {
            assertThatExceptionOfType(FileException.class)
                    .isThrownBy(() -> StoredBytes.fetch(halving(), "f", stored, part))
                    .withMessageContaining("500 of the 1000 bytes");
        }
    }

    @Test
    void allOfItIsFetched() throws Exception {
        StoredObject object = memory.add("f", new byte[1000]);
        StoredCopy stored = new StoredCopy(Objects.requireNonNull(object.info().etag()), 1000);
        try (FilledPart part = new FilledPart(pool, 5000)) {
            StoredBytes.fetch(memory, "f", stored, part);
            assertThat(part.size()).isEqualTo(1000);
        }
    }
}
