package s3csi.linux;

import java.io.IOException;
import java.nio.file.Path;

/** Directories at names that others can guess, in places where others may write, such as /tmp. */
public final class OwnDirectory {
    private OwnDirectory() {}

    /**
     * Throws unless it is a directory, and no link, of this user or of root. Anything else may have been put there by a stranger, and lead
     * anywhere.
     */
    public static void require(Path directory) throws IOException {
        FileStatus found = FileStatus.of(directory);
        if (!found.isDirectory() || (found.uid() != 0 && found.uid() != Processes.effectiveUserId())) {
            throw new IOException(directory + " is not a directory of this user, so a stranger may have put it there");
        }
    }
}
