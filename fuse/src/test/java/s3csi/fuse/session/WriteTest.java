package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.Handover;
import s3csi.fuse.WriteData;
import s3csi.fuse.WriteReply;

@Tag("engine")
class WriteTest {
    private static final String WRITE_5_MIB = "seq 1 800000 | head -c 5242880 > file";

    /** Remembers every piece that was written. */
    private static class Recording extends OneFile {
        final ConcurrentSkipListMap<Long, byte[]> pieces = new ConcurrentSkipListMap<>();

        void record(long offset, MemorySegment bytes) {
            pieces.put(offset, bytes.toArray(ValueLayout.JAVA_BYTE));
        }

        long checkedLength() {
            long next = 0;
            for (var piece : pieces.entrySet()) {
                assertThat(piece.getKey()).isEqualTo(next);
                next += piece.getValue().length;
            }
            return next;
        }

        String text() {
            StringBuilder text = new StringBuilder();
            pieces.values().forEach(each -> text.append(new String(each, java.nio.charset.StandardCharsets.US_ASCII)));
            return text.toString();
        }
    }

    private static void assertTakesEverything(Recording fileSystem) throws Exception {
        try (Mounted mount = Mounted.of(fileSystem)) {
            assertThat(Shell.run(mount.root, WRITE_5_MIB)).isEqualTo(new Shell(0, ""));
            assertThat(fileSystem.checkedLength()).isEqualTo(5242880);
            StringBuilder expected = new StringBuilder();
            for (int i = 1; expected.length() < 5242880; i++) {
                expected.append(i).append('\n');
            }
            expected.setLength(5242880);
            assertThat(fileSystem.text()).isEqualTo(expected.toString());
            // What was kept is given back after the answer, and the writer may be through before.
            Await.until(
                    "all bytes are given back", () -> mount.session.counters().keptBytes() == 0);
            assertThat(mount.session.counters().handlerFailures()).isZero();
        }
    }

    @Test
    void dataIsTakenOnTheDeviceThread() throws Exception {
        assertTakesEverything(new Recording() {
            @Override
            public void write(
                    long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
                record(offset, data.bytes());
                reply.written(data.size());
            }
        });
    }

    @Test
    void dataIsKeptBeyondTheHandler() throws Exception {
        assertTakesEverything(new Recording() {
            @Override
            public void write(
                    long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
                WriteData.Kept kept = data.keep();
                Handover.toVirtualThread(reply, later -> {
                    try (kept) {
                        record(offset, kept.bytes());
                        later.written(kept.bytes().byteSize());
                    }
                });
            }
        });
    }

    @Test
    void dataIsCopiedWhenNoSpareBufferIsLeft() throws Exception {
        java.util.List<WriteData.Kept> held = new java.util.concurrent.CopyOnWriteArrayList<>();
        Recording fileSystem = new Recording() {
            @Override
            public void write(
                    long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
                WriteData.Kept kept = data.keep();
                held.add(kept);
                reply.written(kept.bytes().byteSize());
            }
        };
        try (Mounted mount = Mounted.of(fileSystem)) {
            assertThat(Shell.run(mount.root, WRITE_5_MIB).exit()).isZero();
            assertThat(held).hasSizeGreaterThan(SessionSettings.defaults().spareBuffers());
            assertThat(mount.session.counters().keptBytes()).isEqualTo(5242880);
            StringBuilder text = new StringBuilder();
            for (WriteData.Kept each : held) {
                text.append(new String(
                        each.bytes().toArray(ValueLayout.JAVA_BYTE), java.nio.charset.StandardCharsets.US_ASCII));
                each.close();
                each.close();
                assertThatThrownBy(each::bytes).isInstanceOf(IllegalStateException.class);
            }
            assertThat(text.toString()).startsWith("1\n2\n3\n").hasSize(5242880);
            assertThat(mount.session.counters().keptBytes()).isZero();
        }
    }

    /** What waits takes bounded memory, however many writers there are; the program writes the rest once more. */
    @Test
    void onlyTheBeginningIsKeptWhereManyWait() throws Exception {
        java.util.List<WriteData.Kept> held = new java.util.concurrent.CopyOnWriteArrayList<>();
        Recording fileSystem = new Recording() {
            @Override
            public void write(
                    long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
                WriteData.Kept kept = data.keepSome();
                held.add(kept);
                record(offset, kept.bytes());
                reply.written(kept.bytes().byteSize());
            }
        };
        SessionSettings settings = SessionSettings.defaults().withMostKept(2 << 20);
        try (Mounted mount = Mounted.of(fileSystem, settings, new RecordedEvents())) {
            assertThat(Shell.run(mount.root, "dd if=/dev/zero of=file bs=1M count=8 status=none"))
                    .isEqualTo(new Shell(0, ""));
            assertThat(fileSystem.checkedLength()).isEqualTo(8 << 20);
            // Spare buffers, two mebibytes, and 16 KiB for each that came later.
            long most = (settings.spareBuffers() + 2L) * settings.maxWrite() + held.size() * 16L * 1024;
            assertThat(mount.session.counters().keptBytes()).isLessThanOrEqualTo(most);
            held.forEach(WriteData.Kept::close);
            assertThat(mount.session.counters().keptBytes()).isZero();
        }
    }

    @Test
    void dataIsNotToBeUsedAfterTheHandler() throws Exception {
        AtomicReference<WriteData> escaped = new AtomicReference<>();
        OneFile fileSystem = new OneFile() {
            @Override
            public void write(
                    long node, long handle, long offset, WriteData data, int flags, boolean cached, WriteReply reply) {
                escaped.set(data);
                reply.written(data.size());
                assertThatThrownBy(() -> reply.written(1)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(reply::later).isInstanceOf(IllegalStateException.class);
            }
        };
        RecordedEvents events = new RecordedEvents();
        try (Mounted mount = Mounted.of(fileSystem, SessionSettings.defaults(), events)) {
            assertThat(Shell.run(mount.root, "echo x > file").exit()).isZero();
        }
        // Only the end of the session says that the handler has returned: the writer had its answer before.
        assertThat(events.failures).isEmpty();
        assertThatThrownBy(() -> escaped.get().bytes()).hasMessageContaining("keep()");
    }
}
