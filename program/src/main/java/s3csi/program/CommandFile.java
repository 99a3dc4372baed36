package s3csi.program;

import java.util.Arrays;
import java.util.List;

/**
 * How our programs are started: each is a file whose first line makes the kernel run {@code java @arguments}, so that an image
 * needs no shell.
 *
 * <p>The kernel passes the path of that file as the first argument, before what the user typed; this class takes it off.
 */
public final class CommandFile {
    private CommandFile() {}

    /** What the user typed. */
    public static List<String> arguments(String[] fromKernel) {
        return List.copyOf(Arrays.asList(fromKernel).subList(Math.min(1, fromKernel.length), fromKernel.length));
    }
}
