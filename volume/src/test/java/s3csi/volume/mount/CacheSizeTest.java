package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.VolumeFailure;

class CacheSizeTest {
    private static List<String> within(String limit, String... options) {
        return CacheSize.within(limit, MountOptions.parse(List.of(options))).arguments();
    }

    @Test
    void aCacheWithoutASizeTakesMostOfItsVolume() {
        assertThat(within("100Mi", "cache /x")).containsExactly("--cache=/x", "--max-cache-size=95");
        assertThat(within("100Mi")).containsExactly("--max-cache-size=95");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "95,95", "96,95", "100,95"})
    void aSizeThatTheVolumeHasRoomForIsKeptUpToAMargin(String asked, String told) {
        assertThat(within("100Mi", "max-cache-size " + asked)).containsExactly("--max-cache-size=" + told);
    }

    @Test
    void aSizeThatTheVolumeHasNoRoomForIsRefusedInWords() {
        assertThatThrownBy(() -> within("100Mi", "max-cache-size 101"))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("101 MiB")
                .hasMessageContaining("100Mi")
                .hasMessageContaining("cacheEmptyDirSizeLimit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "1Gi", "much", "1234567890123456789"})
    void aSizeThatIsNoNumberIsRefusedInWords(String asked) {
        assertThatThrownBy(() -> within("1Gi", "max-cache-size=" + asked))
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("whole number");
    }

    @Test
    void anOptionWithoutAValueIsGivenOne() {
        assertThat(within("100Mi", "max-cache-size")).containsExactly("--max-cache-size=95");
    }

    /** Every form that Kubernetes writes or takes, in 95 % of its MiB. */
    @ParameterizedTest
    @CsvSource({
        "104857600,95",
        "+104857600,95",
        "104857600000m,95",
        "104857600000000u,95",
        "104857600000000000n,95",
        "102400Ki,95",
        "1Gi,972",
        "1.5Gi,1459",
        "1.Gi,972",
        ".5Gi,486",
        "1Ti,996147",
        "1Pi,1020054732",
        "1Ei,1044536046387",
        "200000k,180",
        "200M,180",
        "2G,1811",
        "2T,1811980",
        "2P,1811981200",
        "2E,1811981201171",
        "2e9,1811",
        "2E9,1811",
        "2e+9,1811",
        "0.2E10,1811",
        "20000000000e-1,1811",
        "0,0",
        "1023Ki,0"
    })
    void everyFormOfAQuantityIsUnderstood(String limit, String told) {
        assertThat(within(limit)).containsExactly("--max-cache-size=" + told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Gi", "1K", "1ki", "1mi", "1GB", "1 Gi", "-1Gi", "1e", "1e999999999", ".", "Infinity", "१Gi"
            })
    void whatIsNoQuantityChangesNothing(String limit) {
        assertThat(within(limit, "cache /x")).containsExactly("--cache=/x");
    }
}
