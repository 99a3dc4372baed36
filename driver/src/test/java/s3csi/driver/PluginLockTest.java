package s3csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginLockTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Path plugin;

    PluginLockTest(@TempDir Path scratch) {
        plugin = scratch.resolve("plugins/driver");
    }

    @Test
    void theSecondIsToldWhoIsInItsWayAndWhatToDo() throws Exception {
        try (PluginLock _ = PluginLock.take(plugin, SHORT)) {
            assertThatIOException()
                    .isThrownBy(() -> PluginLock.take(plugin, SHORT))
                    .withMessageContaining("another driver works with " + plugin)
                    .withMessageContaining("HOST_PLUGIN_DIR");
            try (PluginLock elsewhere = PluginLock.take(plugin.resolveSibling("other"), SHORT)) {
                assertThat(elsewhere).isNotNull();
            }
        }
    }

    @Test
    void theSecondWaitsForTheEndOfTheFirst() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<PluginLock> second;
            try (PluginLock _ = PluginLock.take(plugin, SHORT)) {
                second = threads.submit(() -> PluginLock.take(plugin, LONG));
            }
            second.get().close();
        }
    }

    @Test
    void theFileIsTheDriversOwnAndStays() throws Exception {
        PluginLock.take(plugin, SHORT).close();
        Path file = plugin.resolve("driver.lock");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        PluginLock.take(plugin, SHORT).close();
    }
}
