package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.WriteTest.content;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.Mounted;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreOperation;
import s3csi.s3.testing.Fault;

/** The kernel sends the pieces of one large direct write at the same time, and threads of ours take them in any order. */
class DirectWriteTest {
    private static final int PIECE = 400;

    @Test
    void piecesAreStoredInTheirOrderWhicheverComesFirst() {
        long seed = System.nanoTime();
        for (int round = 0; round < 50; round++) {
            Random random = new Random(seed + round);
            try (Mounted mount = Mounted.with(Mounted.config())) {
                FakeKernel.File file = mount.kernel.create("f", FileFlags.O_WRONLY | FileFlags.O_DIRECT);
                byte[] all = content(12 * PIECE);
                List<Integer> order = new ArrayList<>();
                for (int at = 0; at < all.length; at += PIECE) {
                    order.add(at);
                }
                Collections.shuffle(order, random);
                List<FakeKernel.Pending> pieces = new ArrayList<>();
                for (int at : order) {
                    pieces.add(mount.kernel.startDirectWrite(file, at, Arrays.copyOfRange(all, at, at + PIECE)));
                }
                for (FakeKernel.Pending piece : pieces) {
                    assertThat(piece.written()).as("seed %d", seed + round).isEqualTo(PIECE);
                }
                mount.kernel.close(file);
                assertThat(mount.storedBytes("f")).as("seed %d", seed + round).isEqualTo(all);
            }
        }
    }

    @Test
    void piecesThatWaitFailWithTheOneBeforeThem() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            mount.faults.always(StoreOperation.UPLOAD_PART, new Fault.Fail(new StoreFailure.ServerError()));
            FakeKernel.File file = mount.kernel.create("f", FileFlags.O_WRONLY | FileFlags.O_DIRECT);
            FakeKernel.Pending last = mount.kernel.startDirectWrite(file, 9000, content(PIECE));
            FakeKernel.Pending first = mount.kernel.startDirectWrite(file, 0, content(9000));

            assertErrno(Errno.EIO, first::written);
            assertErrno(Errno.EIO, last::written);
            assertErrno(Errno.EIO, () -> mount.kernel.close(file));
        }
    }

    @Test
    void aPieceWithoutTheOneBeforeItIsOutOfOrder() {
        try (Mounted mount = Mounted.with(Mounted.config())) {
            FakeKernel.File file = mount.kernel.create("f", FileFlags.O_WRONLY | FileFlags.O_DIRECT);
            FakeKernel.Pending piece = mount.kernel.startDirectWrite(file, PIECE, content(PIECE));

            assertErrno(Errno.EINVAL, piece::written);
            assertErrno(Errno.EINVAL, () -> mount.kernel.close(file));
        }
    }
}
