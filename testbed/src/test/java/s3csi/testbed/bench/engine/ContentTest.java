package s3csi.testbed.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class ContentTest {
    private static final Content CONTENT = new Content(5, (3 << 20) + 8);

    @Test
    void isTheSameAsAStreamInPartsAndAsAWhole() throws IOException {
        byte[] streamed;
        try (InputStream in = CONTENT.stream()) {
            streamed = in.readAllBytes();
        }
        assertThat(streamed).hasSize((int) CONTENT.size());
        assertThat(checksum(streamed)).isEqualTo(CONTENT.checksum());

        int offset = (1 << 20) - 8;
        ByteBuffer part = CONTENT.fill(ByteBuffer.allocate(4096), offset);
        assertThat(part.remaining()).isEqualTo(4096);
        assertThat(Arrays.copyOfRange(streamed, offset, offset + 4096)).isEqualTo(part.array());
        assertThat(CONTENT.checksum(offset, 4096)).isEqualTo(checksum(part.array()));
    }

    @Test
    void differsByPlaceAndBySeed() {
        assertThat(CONTENT.checksum(0, 4096)).isNotEqualTo(CONTENT.checksum(4096, 4096));
        assertThat(CONTENT.checksum(0, 4096)).isNotEqualTo(new Content(6, CONTENT.size()).checksum(0, 4096));
    }

    private static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }
}
