package s3csi.s3.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.Payload;

class CrcTest {
    private static long over(Checksum checksum, byte[] bytes) {
        checksum.update(bytes, 0, bytes.length);
        return checksum.getValue();
    }

    /** The check value of the published catalogue of CRC parameters. */
    @Test
    void theCheckValueIsRight() {
        assertThat(over(new Crc64Nvme(), "123456789".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(0xAE8B14860A799888L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 1000})
    void manyBytesAtOnceAreTheSameAsOneByOne(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Crc64Nvme slow = new Crc64Nvme();
        for (byte b : bytes) {
            slow.update(b);
        }

        assertThat(over(new Crc64Nvme(), bytes)).isEqualTo(slow.getValue());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 4096, 99_999, 100_000})
    void theChecksumOfAWholeIsMadeOfThoseOfItsParts(int cut) {
        byte[] bytes = new byte[100_000];
        new Random(cut).nextBytes(bytes);
        byte[] first = Arrays.copyOf(bytes, cut);
        byte[] second = Arrays.copyOfRange(bytes, cut, bytes.length);

        assertThat(CrcPolynomial.CRC64NVME.combine(
                        over(new Crc64Nvme(), first), over(new Crc64Nvme(), second), second.length))
                .isEqualTo(over(new Crc64Nvme(), bytes));
        assertThat(CrcPolynomial.CRC32C.combine(over(new CRC32C(), first), over(new CRC32C(), second), second.length))
                .isEqualTo(over(new CRC32C(), bytes));
    }

    @Test
    void aPayloadOfSegmentsHasTheChecksumOfItsBytes() {
        byte[] bytes = new byte[1000];
        new Random(1).nextBytes(bytes);
        try (Arena arena = Arena.ofConfined()) {
            Payload split = Payload.of(
                    arena.allocateFrom(ValueLayout.JAVA_BYTE, Arrays.copyOf(bytes, 333)),
                    arena.allocateFrom(ValueLayout.JAVA_BYTE, Arrays.copyOfRange(bytes, 333, 1000)));

            assertThat(Checksums.crc32c(split)).isEqualTo(over(new CRC32C(), bytes));
            assertThat(Checksums.crc64nvme(split)).isEqualTo(over(new Crc64Nvme(), bytes));
            assertThat(Checksums.md5(split))
                    .isEqualTo(Checksums.newDigest("MD5").digest(bytes));
        }
    }
}
