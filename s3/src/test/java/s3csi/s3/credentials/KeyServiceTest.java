package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyServiceTest {
    @ParameterizedTest
    @ValueSource(ints = {408, 429, 500, 502, 503, 504})
    void whatMayPassIsAskedAgain(int status) {
        assertThat(KeyService.Busy.isStatus(status)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 301, 400, 401, 403, 404, 501})
    void whatWillNotPassIsNot(int status) {
        assertThat(KeyService.Busy.isStatus(status)).isFalse();
    }
}
