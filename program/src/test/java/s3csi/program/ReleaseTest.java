package s3csi.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseTest {
    @Test
    void theVersionComesFromTheBuild() {
        assertThat(Release.current().version()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }

    @Test
    void theJsonHasTheKeysThatScriptsParse() {
        assertThat(new Release("3.0.0", "abc", "2026-01-01").toJson())
                .contains("\"driverVersion\": \"3.0.0\"", "\"gitCommit\": \"abc\"", "\"buildDate\": \"2026-01-01\"")
                .contains("\"platform\": \"linux/", "\"javaVersion\"", "\"vm\"");
    }
}
