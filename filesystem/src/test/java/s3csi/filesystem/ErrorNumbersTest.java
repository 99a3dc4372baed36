package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import s3csi.filesystem.failure.FileFailure;
import s3csi.linux.Errno;
import s3csi.s3.StoreFailure;

/** Programs decide by these numbers: whether to copy instead of renaming, to open again, to ask for rights, or to give up. */
class ErrorNumbersTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new FileFailure.NotFound(), Errno.ENOENT),
                Arguments.of(new FileFailure.Stale(), Errno.ESTALE),
                Arguments.of(new FileFailure.InvalidName(), Errno.EINVAL),
                Arguments.of(new FileFailure.NameTooLong(), Errno.ENAMETOOLONG),
                Arguments.of(new FileFailure.NotADirectory(), Errno.ENOTDIR),
                Arguments.of(new FileFailure.IsADirectory(), Errno.EISDIR),
                Arguments.of(new FileFailure.AlreadyExists(), Errno.EEXIST),
                Arguments.of(new FileFailure.NotEmpty(), Errno.ENOTEMPTY),
                Arguments.of(new FileFailure.NotPermitted(), Errno.EPERM),
                Arguments.of(new FileFailure.ReadOnly(), Errno.EROFS),
                Arguments.of(new FileFailure.Archived(), Errno.EACCES),
                Arguments.of(new FileFailure.WrongHandle(), Errno.EBADF),
                Arguments.of(new FileFailure.TooManyWriters(), Errno.ENOMEM),
                Arguments.of(new FileFailure.NoRoom(), Errno.ENOSPC),
                Arguments.of(new FileFailure.NotSequential(), Errno.EINVAL),
                Arguments.of(new FileFailure.TooLarge(), Errno.EFBIG),
                Arguments.of(new FileFailure.NotSupported(), Errno.EINVAL),
                Arguments.of(new FileFailure.CannotRename(), Errno.EXDEV),
                Arguments.of(new FileFailure.Corrupted(), Errno.EIO),
                Arguments.of(new FileFailure.Broken(), Errno.EIO),
                Arguments.of(new FileFailure.ShuttingDown(), Errno.EIO));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void everyFailureHasItsNumber(FileFailure failure, int errno) {
        assertThat(Errno.name(ErrorNumbers.of(failure))).isEqualTo(Errno.name(errno));
    }

    /** An answer of the store means different things to one who looks for a name, reads an open file, or stores one. */
    static Stream<Arguments> answers() {
        StoreFailure.Forbidden forbidden = new StoreFailure.Forbidden(StoreFailure.Forbidden.Reason.ACCESS_DENIED);
        return Stream.of(
                Arguments.of(new StoreFailure.NoSuchKey("key"), Errno.ENOENT, Errno.EIO, Errno.EIO),
                Arguments.of(new StoreFailure.PreconditionFailed(), Errno.EIO, Errno.ESTALE, Errno.EIO),
                Arguments.of(forbidden, Errno.EACCES, Errno.EACCES, Errno.EACCES),
                Arguments.of(new StoreFailure.NoCredentials(), Errno.EACCES, Errno.EACCES, Errno.EACCES),
                Arguments.of(new StoreFailure.Cancelled(), Errno.EINTR, Errno.EINTR, Errno.EINTR),
                Arguments.of(new StoreFailure.NoSuchBucket("bucket"), Errno.EIO, Errno.EIO, Errno.EIO),
                Arguments.of(new StoreFailure.NoSuchUpload("upload"), Errno.EIO, Errno.EIO, Errno.EIO),
                Arguments.of(new StoreFailure.Throttled(), Errno.EIO, Errno.EIO, Errno.EIO),
                Arguments.of(new StoreFailure.Unreachable(), Errno.EIO, Errno.EIO, Errno.EIO),
                Arguments.of(new StoreFailure.Timeout(), Errno.EIO, Errno.EIO, Errno.EIO),
                Arguments.of(new StoreFailure.ServerError(), Errno.EIO, Errno.EIO, Errno.EIO));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerOfTheStoreHasTheNumberOfWhatWasWanted(StoreFailure failure, int looking, int reading, int storing) {
        assertThat(ErrorNumbers.of(new FileFailure.StoreFailed(failure))).isEqualTo(looking);
        assertThat(ErrorNumbers.of(new FileFailure.ReadFailed(failure))).isEqualTo(reading);
        assertThat(ErrorNumbers.of(new FileFailure.UploadFailed(failure))).isEqualTo(storing);
    }

    @Test
    void aSyncMayNotTellOfTheSizeOfAFile() {
        assertThat(ErrorNumbers.ofSync(new FileFailure.TooLarge())).isEqualTo(Errno.ENOSPC);
        assertThat(ErrorNumbers.ofSync(new FileFailure.NotPermitted())).isEqualTo(Errno.EPERM);
    }
}
