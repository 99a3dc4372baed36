package s3csi.driver.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.volume.StoreKeys;
import s3csi.volume.VolumeFailure;

class DriverKeysTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("AWS_ACCESS_KEY_ID", "env", "AWS_SECRET_ACCESS_KEY", "s", "AWS_SESSION_TOKEN", "t");

    @TempDir
    Path directory;

    /** As kubelet does it: a new directory, then one rename of the link that everything is seen through. */
    private void mountSecret(String version, Map<String, String> files) throws IOException {
        Path data = Files.createDirectory(directory.resolve(version));
        for (var file : files.entrySet()) {
            Files.writeString(data.resolve(file.getKey()), file.getValue());
        }
        Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of(version));
        Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void aRotatedSecretCountsAtOnce() throws IOException {
        DriverKeys keys = new DriverKeys(Optional.of(directory), ENVIRONMENT);
        mountSecret("..1", Map.of("access_key_id", "one\n", "secret_access_key", "s1"));
        assertThat(keys.current()).isEqualTo(new StoreKeys("one", "s1", Optional.empty()));
        mountSecret("..2", Map.of("access_key_id", "two", "secret_access_key", "s2", "session_token", "t2"));
        assertThat(keys.current()).isEqualTo(new StoreKeys("two", "s2", Optional.of("t2")));
    }

    @Test
    void plainFilesWillDo() throws IOException {
        Files.writeString(directory.resolve("access_key_id"), "one");
        Files.writeString(directory.resolve("secret_access_key"), "s1");
        assertThat(new DriverKeys(Optional.of(directory), Map.of()).current().accessKeyId())
                .isEqualTo("one");
    }

    @Test
    void withoutFilesTheEnvironmentCounts() {
        DriverKeys keys = new DriverKeys(Optional.of(directory.resolve("missing")), ENVIRONMENT);
        assertThat(keys.current()).isEqualTo(new StoreKeys("env", "s", Optional.of("t")));
    }

    @Test
    void halfASecretIsAnErrorAndNotMixedWithTheEnvironment() throws IOException {
        mountSecret("..1", Map.of("access_key_id", "one"));
        assertThatThrownBy(() -> new DriverKeys(Optional.of(directory), ENVIRONMENT).current())
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("secret_access_key");
    }

    @Test
    void noKeysAnywhereIsSaid() {
        assertThatThrownBy(() -> new DriverKeys(Optional.empty(), Map.of()).current())
                .isInstanceOf(VolumeFailure.class)
                .hasMessageContaining("no keys of its own");
    }

    /** The access key is a pipe here, so that the Secret can be swapped between the two. */
    @Test
    void bothKeysAreOfTheSameSecretWhileItIsSwapped() throws Exception {
        mountSecret("..1", Map.of("secret_access_key", "s1"));
        for (String name : new String[] {"access_key_id", "secret_access_key"}) {
            Files.createSymbolicLink(directory.resolve(name), Path.of("..data", name));
        }
        Path pipe = directory.resolve("..1/access_key_id");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        FutureTask<StoreKeys> reading = new FutureTask<>(new DriverKeys(Optional.of(directory), Map.of())::current);
        Thread.ofPlatform().daemon().start(reading);

        // Opens when the other side reads.
        try (OutputStream key = Files.newOutputStream(pipe)) {
            mountSecret("..2", Map.of("access_key_id", "two", "secret_access_key", "s2"));
            key.write("one".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(reading.get(30, TimeUnit.SECONDS)).isEqualTo(new StoreKeys("one", "s1", Optional.empty()));
    }
}
