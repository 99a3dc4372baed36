package s3csi.filesystem;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.filesystem.failure.FileException;
import s3csi.fuse.Handover;
import s3csi.fuse.Reply;
import s3csi.linux.Errno;

/** Turns failures into answers, and says in the log what an error number cannot. */
final class Answering {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    private Answering() {}

    interface Work {
        void answer() throws FileException;
    }

    /** Answers on the thread of the caller. */
    static void now(Reply reply, Work work) {
        try {
            work.answer();
        } catch (FileException e) {
            refuse(reply, e);
        }
    }

    /** Answers on a virtual thread, where waiting is allowed. */
    static <R extends Reply> void later(R reply, Handover.Work<R> work) {
        Handover.toVirtualThread(reply, own -> {
            try {
                work.answer(own);
            } catch (FileException e) {
                refuse(own, e);
            }
        });
    }

    static void refuse(Reply reply, FileException e) {
        refuse(reply, e, ErrorNumbers.of(e.failure()));
    }

    static void refuse(Reply reply, FileException e, int errno) {
        if (errno == Errno.EINTR && !reply.isInterrupted()) {
            // Nobody gave up on this request: the store was closed under it.
            errno = Errno.EIO;
        }
        if (errno == Errno.EIO || errno == Errno.EACCES) {
            LOG.warn("{} failed with {}: {}", reply.operation().label(), Errno.name(errno), e.getMessage());
        } else {
            LOG.debug("{} refused with {}: {}", reply.operation().label(), Errno.name(errno), e.getMessage());
        }
        reply.error(errno);
    }
}
