package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.Notifications;
import s3csi.fuse.OpenFlags;

@Tag("engine")
class NotificationTest {
    private static final class Cached extends OneFile {
        final AtomicLong reads = new AtomicLong();
        volatile MemorySegment content = Arena.global().allocateFrom("old");

        Cached() {
            openFlags = OpenFlags.KEEP_CACHE;
            size = 3;
        }

        @Override
        public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
            reads.incrementAndGet();
            reply.add(content, offset, Math.max(0, Math.min(size, 3 - offset))).send();
        }

        Notifications kernel() {
            return Objects.requireNonNull(notifications);
        }
    }

    @Test
    void anInvalidatedInodeIsReadAgain() throws Exception {
        Cached fileSystem = new Cached();
        try (Mounted mount = Mounted.of(fileSystem)) {
            assertThat(Shell.run(mount.root, "cat file; cat file").output()).isEqualTo("oldold");
            long before = fileSystem.reads.get();
            fileSystem.content = Arena.global().allocateFrom("new");
            assertThat(Shell.run(mount.root, "cat file").output()).isEqualTo("old");
            assertThat(fileSystem.reads.get()).as("pages were kept").isEqualTo(before);
            assertThat(fileSystem.kernel().invalidateInode(OneFile.FILE, 0, 0)).isTrue();
            assertThat(Shell.run(mount.root, "cat file").output()).isEqualTo("new");
            assertThat(fileSystem.kernel().invalidateInode(4711, 0, 0)).isFalse();
        }
    }

    @Test
    void storedBytesAreReadWithoutAskingAgain() throws Exception {
        Cached fileSystem = new Cached();
        try (Mounted mount = Mounted.of(fileSystem)) {
            assertThat(Shell.run(mount.root, "stat file").exit()).isZero();
            MemorySegment bytes = Arena.global().allocateFrom("##put");
            assertThat(fileSystem.kernel().store(OneFile.FILE, 0, bytes, 2, 3)).isTrue();
            assertThat(Shell.run(mount.root, "cat file").output()).isEqualTo("put");
            assertThat(fileSystem.reads.get()).isZero();
        }
    }

    @Test
    void anInvalidatedOrExpiredNameIsLookedUpAgainAndAForgottenOneIsForgotten() throws Exception {
        Cached fileSystem = new Cached();
        try (Mounted mount = Mounted.of(fileSystem)) {
            assertThat(Shell.run(mount.root, "stat file; stat file").exit()).isZero();
            assertThat(fileSystem.lookups.get()).isEqualTo(1);
            assertThat(fileSystem.kernel().expireEntry(1, OneFile.NAME)).isTrue();
            assertThat(Shell.run(mount.root, "stat file").exit()).isZero();
            assertThat(fileSystem.lookups.get()).isEqualTo(2);
            assertThat(fileSystem.kernel().invalidateEntry(1, OneFile.NAME)).isTrue();
            Await.until("the node is forgotten", () -> fileSystem.forgotten.get() == 2);
            assertThat(Shell.run(mount.root, "stat file").exit()).isZero();
            assertThat(fileSystem.lookups.get()).isEqualTo(3);
            assertThat(fileSystem.kernel().deleteEntry(1, OneFile.FILE, OneFile.NAME))
                    .isTrue();
            assertThat(fileSystem.kernel().invalidateEntry(1, "never-seen")).isFalse();
            Await.until("it is counted", () -> mount.session.counters().forgets() >= 2);
        }
    }
}
