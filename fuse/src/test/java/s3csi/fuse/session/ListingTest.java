package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.Attributes;
import s3csi.fuse.Capability;
import s3csi.fuse.DirectoryPlusReply;
import s3csi.fuse.DirectoryReply;
import s3csi.fuse.Entry;
import s3csi.fuse.EntryReply;
import s3csi.fuse.KernelWishes;
import s3csi.fuse.OpenReply;

@Tag("engine")
class ListingTest {
    private static final int FILES = 5000;

    /** Many files with long names, of which the kernel gets as many at a time as fit. */
    private static final class Many extends OneFile {
        final AtomicLong plain = new AtomicLong();
        final AtomicLong plus = new AtomicLong();

        private static String name(int i) {
            return "name-of-a-file-that-is-long-enough-to-fill-a-page-soon-" + i;
        }

        private static Attributes attributes(int i) {
            return Attributes.file(100 + i, i, Instant.EPOCH, 0644, 0, 0, 4096);
        }

        @Override
        public void opendir(long node, int fileFlags, OpenReply reply) {
            reply.opened(0, 0);
        }

        @Override
        public void lookup(long parent, String name, EntryReply reply) {
            int i = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
            lookups.incrementAndGet();
            reply.entry(new Entry(100 + i, 0, attributes(i), VALID, VALID));
        }

        @Override
        public void readdir(long node, long handle, long offset, DirectoryReply reply) {
            plain.incrementAndGet();
            for (int i = (int) offset; i < FILES; i++) {
                if (!reply.add(name(i), 100 + i, Attributes.REGULAR_FILE, i + 1)) {
                    break;
                }
            }
            reply.send();
        }

        @Override
        public void readdirplus(long node, long handle, long offset, DirectoryPlusReply reply) {
            plus.incrementAndGet();
            for (int i = (int) offset; i < FILES; i++) {
                if (!reply.add(name(i), new Entry(100 + i, 0, attributes(i), VALID, VALID), i + 1)) {
                    break;
                }
            }
            reply.send();
        }
    }

    @Test
    void readdirplusListsEveryNameOnceAndSavesTheLookups() throws Exception {
        Many fileSystem = new Many();
        KernelWishes always = KernelWishes.DEFAULTS.without(Capability.READDIRPLUS_AUTO);
        try (Mounted mount = Mounted.of(fileSystem, SessionSettings.defaults().withWishes(always))) {
            Shell list =
                    Shell.run(mount.root, "ls -l | awk 'NR > 1 { files++; bytes += $5 } END { print files, bytes }'");
            assertThat(list.output().strip()).isEqualTo(FILES + " " + (long) FILES * (FILES - 1) / 2);
            assertThat(fileSystem.plus.get()).isGreaterThan(1);
            assertThat(fileSystem.plain.get()).isZero();
            assertThat(fileSystem.lookups.get()).isZero();
            assertThat(mount.events.refused).isEmpty();
        }
    }

    @Test
    void readdirListsEveryNameOnce() throws Exception {
        Many fileSystem = new Many();
        KernelWishes none = new KernelWishes(Set.of(), Set.of());
        try (Mounted mount = Mounted.of(fileSystem, SessionSettings.defaults().withWishes(none))) {
            Shell list = Shell.run(mount.root, "ls -f | sort | uniq | wc -l");
            assertThat(list.output().strip()).isEqualTo(Integer.toString(FILES));
            assertThat(fileSystem.plain.get()).isGreaterThan(1);
            assertThat(fileSystem.plus.get()).isZero();
        }
    }
}
