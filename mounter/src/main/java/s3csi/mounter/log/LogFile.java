package s3csi.mounter.log;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** The one file that a run writes its log to. */
final class LogFile {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int RANDOM_LETTERS = 6;

    private LogFile() {}

    /** Makes the file, and the directory if it is not there. Others may not read them: keys of objects are in it. */
    static OutputStream create(Path directory, Instant now, RandomGenerator random) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        Path file = Files.createFile(
                directory.resolve(name(now, random)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
        return BoundedFile.of(new FileOutputStream(file.toFile(), true), file);
    }

    private static String name(Instant now, RandomGenerator random) {
        StringBuilder name = new StringBuilder("mountpoint-s3-");
        TIME.formatTo(now, name);
        name.append('.');
        for (int i = 0; i < RANDOM_LETTERS; i++) {
            name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return name.append(".log").toString();
    }
}
