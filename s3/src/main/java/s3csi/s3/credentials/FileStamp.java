package s3csi.s3.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/** What tells one state of a file from another without reading it. A file that is not there has a state too. */
record FileStamp(
        @Nullable FileTime modified, long size, @Nullable Object inode) {
    private static final FileStamp ABSENT = new FileStamp(null, -1, null);

    static FileStamp of(Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (NoSuchFileException e) {
            return ABSENT;
        }
    }
}
