package s3csi.mounter.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.mounter.command.MountCommand;
import s3csi.mounter.config.MountConfig;

final class OpeningLineTest {
    @TempDir
    private Path home;

    private String line(Map<String, String> variables, String... options) throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("HOME", home.toString()));
        environment.putAll(variables);
        List<String> arguments = new ArrayList<>(List.of("bucket", "/mnt"));
        arguments.addAll(List.of(options));
        return switch (MountCommand.parse(arguments, environment, "1.2.3")) {
            case MountCommand.Mount(MountConfig config) -> OpeningLine.of(config);
            case MountCommand.Print(String text) -> throw new AssertionError("printed instead: " + text);
        };
    }

    @Test
    void endpointAndRegionAreNamed() throws Exception {
        assertThat(line(Map.of(), "--endpoint-url=http://store:9000", "--region=eu-1"))
                .startsWith("bucket bucket, endpoint http://store:9000, region eu-1, ");
        assertThat(line(Map.of(), "--prefix=a/"))
                .startsWith("prefix a/ of bucket bucket, endpoint AWS, region us-east-1 because none was given, ");
    }

    @Test
    void theKeysAreNotShownButWhereTheyAre() throws Exception {
        assertThat(line(Map.of())).endsWith("keys from nowhere");
        assertThat(line(Map.of(), "--no-sign-request")).endsWith("keys from nowhere, requests are unsigned");
        assertThat(line(Map.of("AWS_ACCESS_KEY_ID", "canary-id", "AWS_SECRET_ACCESS_KEY", "canary-secret")))
                .endsWith("keys from the environment")
                .doesNotContain("canary");

        Path file = Files.createDirectory(home.resolve(".aws")).resolve("credentials");
        Files.writeString(file, "[default]\naws_access_key_id = canary-id\naws_secret_access_key = canary-secret\n");
        assertThat(line(Map.of()))
                .endsWith("keys from profile default in " + file)
                .doesNotContain("canary");
        assertThat(line(Map.of(), "--profile=other")).endsWith("keys from profile other in " + file);
    }

    @Test
    void aServiceIsNamedAndNotAsked() throws Exception {
        assertThat(line(Map.of("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:1/keys")))
                .endsWith("keys from the credentials service of the container at http://127.0.0.1:1");
        assertThat(line(Map.of("AWS_CONTAINER_CREDENTIALS_FULL_URI", "no address")))
                .endsWith("keys from a place that is none");
    }
}
