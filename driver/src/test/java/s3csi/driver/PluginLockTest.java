package s3csi.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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
        FutureTask<PluginLock> second = new FutureTask<>(() -> PluginLock.take(plugin, LONG));
        Thread waiting = Thread.ofPlatform().daemon().unstarted(second);
        try (PluginLock _ = PluginLock.take(plugin, SHORT)) {
            waiting.start();
            awaitSleep(waiting);
            assertThat(second).isNotDone();
        }
        second.get(LONG.toSeconds(), TimeUnit.SECONDS).close();
    }

    /** Who sleeps in there has found the lock taken. */
    private static void awaitSleep(Thread thread) {
        long end = System.nanoTime() + LONG.toNanos();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(thread.isAlive()).as("it waits for the lock").isTrue();
            assertThat(System.nanoTime()).as("time until it waits").isLessThan(end);
            Thread.onSpinWait();
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
