package s3csi.filesystem;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import s3csi.filesystem.failure.FileException;
import s3csi.filesystem.failure.FileFailure;
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
        if (errno == Errno.EINTR && !reply.isCancelled()) {
            // The caller still waits: the store was closed under the request.
            errno = Errno.EIO;
        }
        if (errno != Errno.EINTR && needsWords(e.failure(), errno)) {
            // What failed and how is the kind of the line, of which the log takes so many in a minute.
            String kind = reply.operation().label() + " failed with " + Errno.name(errno) + ": {}";
            LOG.atLevel(isLost(e.failure()) ? Level.ERROR : Level.WARN).log(kind, e.getMessage());
        } else {
            LOG.debug("{} refused with {}: {}", reply.operation().label(), Errno.name(errno), e.getMessage());
        }
        reply.error(errno);
    }

    /** Whether a file is not stored through no fault of the program that wrote it. */
    private static boolean isLost(FileFailure failure) {
        return failure instanceof FileFailure.UploadFailed
                || failure instanceof FileFailure.Corrupted
                || failure instanceof FileFailure.Broken
                || failure instanceof FileFailure.ShuttingDown;
    }

    /** Whether the number alone leaves people to guess, such as which option is missing or who has the file open. */
    private static boolean needsWords(FileFailure failure, int errno) {
        return switch (failure) {
            case FileFailure.NotFound _,
                    FileFailure.Stale _,
                    FileFailure.InvalidName _,
                    FileFailure.NameTooLong _,
                    FileFailure.NotADirectory _,
                    FileFailure.IsADirectory _,
                    FileFailure.AlreadyExists _,
                    FileFailure.NotEmpty _,
                    FileFailure.ReadOnly _,
                    FileFailure.CannotRename _ -> false;
            case FileFailure.StoreFailed _ -> errno != Errno.ENOENT;
            case FileFailure.NotPermitted _,
                    FileFailure.Archived _,
                    FileFailure.WrongHandle _,
                    FileFailure.TooManyWriters _,
                    FileFailure.NoRoom _,
                    FileFailure.NotSequential _,
                    FileFailure.TooLarge _,
                    FileFailure.NotSupported _,
                    FileFailure.ReadFailed _,
                    FileFailure.UploadFailed _,
                    FileFailure.Corrupted _,
                    FileFailure.Broken _,
                    FileFailure.ShuttingDown _ -> true;
        };
    }
}
