package s3csi.fuse.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.fuse.DataReply;
import s3csi.fuse.Handover;
import s3csi.fuse.OpenFlags;
import s3csi.linux.PageMemory;

/** A handler that breaks costs one EIO and nothing else. */
@Tag("engine")
class HandlerFailureTest {
    private static final MemorySegment CONTENT = Arena.global().allocateFrom("content");

    private static void assertEioThenContent(Consumer<DataReply> broken, Class<? extends Throwable> failure)
            throws Exception {
        OneFile fileSystem = new OneFile() {
            private boolean hasFailed;

            @Override
            public synchronized void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
                if (offset > 0) {
                    reply.send();
                } else if (hasFailed) {
                    reply.add(CONTENT, 0, 7).send();
                } else {
                    hasFailed = true;
                    broken.accept(reply);
                }
            }
        };
        fileSystem.openFlags = OpenFlags.DIRECT_IO;
        try (Mounted mount = Mounted.of(fileSystem)) {
            assertThat(Shell.run(mount.root, "cat file").output()).contains("Input/output error");
            assertThat(Shell.run(mount.root, "cat file").output()).isEqualTo("content");
            assertThat(mount.session.counters().handlerFailures()).isEqualTo(1);
            assertThat(mount.events.failures).singleElement().isInstanceOf(failure);
        }
    }

    @Test
    void anException() throws Exception {
        assertEioThenContent(
                reply -> {
                    throw new IllegalArgumentException("broken");
                },
                IllegalArgumentException.class);
    }

    @Test
    void noMoreMemory() throws Exception {
        assertEioThenContent(
                reply -> {
                    throw new OutOfMemoryError("broken");
                },
                OutOfMemoryError.class);
    }

    @Test
    void noMoreStack() throws Exception {
        assertEioThenContent(reply -> recurse(1), StackOverflowError.class);
    }

    private static long recurse(long depth) {
        return depth == Long.MAX_VALUE ? 0 : depth + recurse(depth + 1) % 7;
    }

    @Test
    void noAnswer() throws Exception {
        assertEioThenContent(reply -> {}, IllegalStateException.class);
    }

    @Test
    void anExceptionAfterHandingOver() throws Exception {
        assertEioThenContent(
                reply -> {
                    reply.later();
                    throw new IllegalArgumentException("nobody will answer");
                },
                IllegalArgumentException.class);
    }

    @Test
    void anExceptionOnTheVirtualThread() throws Exception {
        assertEioThenContent(
                reply -> Handover.toVirtualThread(reply, later -> {
                    throw new java.io.IOException("broken");
                }),
                java.io.IOException.class);
    }

    @Test
    void noAnswerFromTheVirtualThread() throws Exception {
        assertEioThenContent(reply -> Handover.toVirtualThread(reply, later -> {}), IllegalStateException.class);
    }

    @Test
    void moreBytesThanAskedFor() throws Exception {
        MemorySegment large = Arena.global().allocate(4 << 20);
        assertEioThenContent(reply -> reply.add(large, 0, 4 << 20).send(), IllegalArgumentException.class);
    }

    @Test
    void memoryThatIsNotThere() throws Exception {
        Arena closed = Arena.ofShared();
        MemorySegment unmapped = PageMemory.map(4096, closed);
        closed.close();
        // The kernel finds out, refuses the answer, and the reader is set free.
        OneFile fileSystem = new OneFile() {
            @Override
            public void read(long node, long handle, long offset, int size, int flags, DataReply reply) {
                reply.add(unmapped, 0, 64).send();
            }
        };
        fileSystem.openFlags = OpenFlags.DIRECT_IO;
        try (Mounted mount = Mounted.of(fileSystem)) {
            assertThat(Shell.run(mount.root, "cat file").exit()).isNotZero();
            // The reader is free before the event is told.
            Await.until("the event is told", () -> !mount.events.refused.isEmpty());
            assertThat(Shell.run(mount.root, "stat file").exit()).isZero();
        }
    }
}
