package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.ErrnoException;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreFailure;
import s3csi.s3.testing.Fault;
import s3csi.s3.testing.StoredObject;

/**
 * Random writes, flushes, syncs and removals over a store that fails at random, against the rule for failures: what was stored with
 * success is there whole, and once a call failed, every later one on the handle fails, too, and stores nothing. A removal that failed
 * is no failure of the file. The seed is in every message.
 */
class FailedWriteModelTest {
    private static final int ROUNDS = 300;
    private static final String NAME = "f";
    private static final List<Fault> FAULTS = List.of(
            new Fault.Fail(new StoreFailure.ServerError()),
            new Fault.LoseAnswer(new StoreFailure.Timeout()),
            new Fault.Crash());

    @Test
    void aFileIsStoredWholeOrNotAtAll() {
        long seed = System.nanoTime();
        int failures = 0;
        for (int round = 0; round < ROUNDS; round++) {
            failures += new Run(seed + round).play();
        }
        assertThat(failures).as("handles that failed, from seed %d", seed).isBetween(ROUNDS / 10, ROUNDS * 5);
    }

    private static FileSystemConfig config() {
        return Mounted.config()
                .withPermissions(
                        FileSystemConfig.Permissions.DEFAULTS.withDelete().withOverwrite());
    }

    private static final class Run {
        private final long seed;
        private final Random random;
        private final List<String> done = new ArrayList<>();
        private final byte[] content = new byte[20_000];

        /** What the store may have now: null for nothing. */
        private final List<byte @Nullable []> possible = new ArrayList<>();

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            random.nextBytes(content);
        }

        int play() {
            int failures = 0;
            try (Mounted mount = Mounted.with(config())) {
                possible.add(null);
                for (int i = 0; i < 3; i++) {
                    Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
                    mount.faults.heal();
                    FakeKernel.File file = mount.kernel.openOrCreate(NAME, FileFlags.O_WRONLY | FileFlags.O_TRUNC);
                    mount.faults.randomly(0.15, fault, new Random(random.nextLong()));
                    done.add("open, " + fault);
                    failures += use(mount, file, !(fault instanceof Fault.Crash)) ? 0 : 1;
                    mount.faults.heal();
                    compare(mount);
                }
                Eventually.that(() -> mount.heldForData() == 0);
            }
            return failures;
        }

        /** Whether all went well to the end. */
        private boolean use(Mounted mount, FakeKernel.File file, boolean mayRemove) {
            boolean isHealthy = true;
            boolean isRemoved = false;
            boolean isNew = true;
            int written = 0;
            for (int i = random.nextInt(8); i >= 0; i--) {
                int kind = i == 0 ? 0 : random.nextInt(mayRemove ? 6 : 5);
                int count = Math.min(content.length - written, random.nextInt(2500));
                byte[] whole = Arrays.copyOf(content, written);
                if (kind == 5) {
                    isRemoved |= removes(mount) && isHealthy;
                    continue;
                }
                boolean wentWell = switch (kind) {
                    case 0 -> succeeds("close", () -> mount.kernel.flush(file));
                    case 1 -> succeeds("fsync", () -> mount.kernel.fsync(file));
                    default -> writes(mount, file, written, count);
                };
                assertThat(wentWell && !isHealthy)
                        .as("success after a failure, %s", story())
                        .isFalse();
                if (kind > 1 && wentWell) {
                    written += count;
                    isNew |= count > 0;
                } else if (kind <= 1 && isHealthy && !isRemoved) {
                    // An answer may be lost, and the object be there.
                    boolean isStored = wentWell && isNew && (written > 0 || kind == 1);
                    stored(whole, isStored);
                    isNew &= !isStored;
                }
                isHealthy &= wentWell;
                assertThat(isHealthy || !isRemoved)
                        .as("what is removed cannot fail, %s", story())
                        .isTrue();
            }
            boolean wasReleased = succeeds("release", () -> mount.kernel.release(file));
            assertThat(wasReleased || isHealthy)
                    .as("what failed is released, %s", story())
                    .isTrue();
            if (isHealthy && !isRemoved) {
                stored(Arrays.copyOf(content, written), false);
            }
            return isHealthy;
        }

        /** Whether the name was removed. If not, the store may have deleted the object and not said so. */
        private boolean removes(Mounted mount) {
            boolean wentWell = succeeds("unlink", () -> mount.kernel.unlink(NAME));
            if (wentWell) {
                possible.clear();
            }
            possible.add(null);
            return wentWell;
        }

        private void stored(byte[] whole, boolean surely) {
            if (surely) {
                possible.clear();
            }
            possible.add(whole);
        }

        private boolean writes(Mounted mount, FakeKernel.File file, int at, int count) {
            byte[] bytes = Arrays.copyOfRange(content, at, at + count);
            return succeeds("write " + count, () -> {
                long taken = mount.kernel.write(file, at, bytes);
                assertThat(taken).as("taken, %s", story()).isEqualTo(count);
            });
        }

        private boolean succeeds(String what, Runnable call) {
            try {
                call.run();
                done.add(what);
                return true;
            } catch (ErrnoException e) {
                done.add(what + " failed with " + e.getMessage());
                return false;
            }
        }

        private void compare(Mounted mount) {
            StoredObject object = mount.memory.find(NAME);
            byte[] now = object == null ? null : mount.storedBytes(NAME);
            assertThat(possible.stream().anyMatch(each -> Arrays.equals(each, now)))
                    .as("%s bytes stored, %s", now == null ? "no" : String.valueOf(now.length), story())
                    .isTrue();
            possible.clear();
            possible.add(now);
        }

        private String story() {
            return "seed " + seed + ": " + done;
        }
    }
}
