package s3csi.volume.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineEnvironmentTest {
    @Test
    void linesAreSortedAndEmptyOnesLeftOut() {
        EngineEnvironment environment = new EngineEnvironment(Map.of("NO_PROXY", "x"))
                .with("AWS_REGION", "")
                .with("AWS_ENDPOINT_URL", "http://s3")
                .with(Map.of("AWS_MAX_ATTEMPTS", "3"));
        assertThat(environment.lines())
                .containsExactly("AWS_ENDPOINT_URL=http://s3", "AWS_MAX_ATTEMPTS=3", "NO_PROXY=x");
    }

    @Test
    void everythingWinsOverTheVolumesOwnVariables() {
        assertThat(new EngineEnvironment(Map.of("A", "volume"))
                        .with("A", "driver")
                        .lines())
                .containsExactly("A=driver");
    }
}
