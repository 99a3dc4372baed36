package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.config.MountConfig;

final class UserAgentTest {
    private static String with(String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("bucket", "/mnt"));
        arguments.addAll(List.of(options));
        return switch (MountCommand.parse(arguments, Map.of(), "1.2.3")) {
            case MountCommand.Mount(MountConfig config) -> UserAgent.of(config, "1.2.3");
            case MountCommand.Print(String text) -> throw new AssertionError("printed instead: " + text);
        };
    }

    @Test
    void itTellsWhoAndWhere() throws Exception {
        assertThat(with())
                .startsWith("mount-s3/1.2.3 os/linux#")
                .contains(" md/arch#")
                .endsWith(" md/mp-cache-ttl#minimal");
        assertThat(with("--user-agent-prefix=me/1")).startsWith("me/1 mount-s3/1.2.3 ");
    }

    @Test
    void itTellsHowTheMountIsMade() throws Exception {
        assertThat(with("--read-only", "--metadata-ttl=5", "--bind=a", "--bind=b", "--otlp-endpoint=http://collector"))
                .endsWith(" md/mp-readonly md/mp-cache-ttl#5 md/mp-nw-interfaces#2 md/mp-otlp");
    }
}
