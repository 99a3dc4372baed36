package s3csi.program;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How our programs are started: each is a file whose first line makes the kernel run {@code java @arguments}, so that an image
 * needs no shell.
 *
 * <p>The kernel passes the path of that file as the first argument, before what the user typed; this class takes it off.
 */
public final class CommandFile {
    private CommandFile() {}

    /** Where the program's file is, and others of ours with it; nowhere for a program that was started without a file. */
    public static Optional<Path> directory(String[] fromKernel) {
        return fromKernel.length == 0
                ? Optional.empty()
                : Optional.ofNullable(
                        Path.of(fromKernel[0]).toAbsolutePath().normalize().getParent());
    }

    /** What the user typed. */
    public static List<String> arguments(String[] fromKernel) {
        return List.copyOf(Arrays.asList(fromKernel).subList(Math.min(1, fromKernel.length), fromKernel.length));
    }
}
