package s3csi.testbed.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import s3csi.s3.testing.process.LastRites;
import s3csi.s3.testing.process.Scratch;
import s3csi.testbed.csi.NodeProgram;

/**
 * The directory of the one demo that a checkout has at a time. Its name is in a file that the demo holds a lock on, which the kernel
 * releases however the demo ends: so whoever comes next finds out whether it still runs, and clears away what a killed one left.
 */
final class DemoPlace implements AutoCloseable {
    private static final String ASKED_TO_END = "end";

    private final FileChannel file;
    private final Path directory;

    private DemoPlace(FileChannel file, Path directory) {
        this.file = file;
        this.directory = directory;
    }

    /** A new directory; what an earlier demo left is gone. Empty while another demo runs. */
    static Optional<DemoPlace> take(Path lockFile) {
        try {
            Optional<FileChannel> held = lock(lockFile);
            if (held.isEmpty()) {
                return Optional.empty();
            }
            // Unix sockets have short names, so it is not in the checkout, which may be anywhere.
            Path directory = Files.createTempDirectory("s3csi-demo-").toRealPath();
            note(held.get(), directory.toString());
            LastRites.beforeExit(LastRites.Order.DIRECTORIES, () -> Scratch.delete(directory));
            return Optional.of(new DemoPlace(held.get(), directory));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make a directory for the demo", failure);
        }
    }

    /** Clears away what a demo that was killed left; false while one runs. */
    static boolean clear(Path lockFile) {
        try {
            Optional<FileChannel> held = lock(lockFile);
            if (held.isPresent()) {
                held.get().close();
            }
            return held.isPresent();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot clear away the last demo", failure);
        }
    }

    private static Optional<FileChannel> lock(Path lockFile) throws IOException {
        FileChannel file = FileChannel.open(
                lockFile, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock = file.tryLock();
        if (lock == null) {
            file.close();
            return Optional.empty();
        }
        String noted = noted(file);
        if (!noted.isEmpty()) {
            NodeProgram.clear(Path.of(noted));
            Scratch.delete(Path.of(noted));
            note(file, "");
        }
        return Optional.of(file);
    }

    /** By the channel that has the lock: a process loses its locks on a file as soon as it closes any descriptor of it. */
    private static String noted(FileChannel file) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(Math.toIntExact(file.size()));
        while (text.hasRemaining() && file.read(text, text.position()) >= 0) {
            // Reads on to the end.
        }
        return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
    }

    private static void note(FileChannel file, String text) throws IOException {
        file.truncate(0);
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
        file.force(true);
    }

    /** Asks the demo that runs to end. */
    static void askToEnd(Path lockFile) {
        try {
            Files.writeString(Path.of(Files.readString(lockFile)).resolve(ASKED_TO_END), "");
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot tell the demo to end", failure);
        }
    }

    boolean isAskedToEnd() {
        return Files.exists(directory.resolve(ASKED_TO_END));
    }

    Path directory(String name) {
        try {
            return Files.createDirectory(directory.resolve(name));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make a directory for the demo", failure);
        }
    }

    @Override
    public void close() {
        LastRites.notMeanwhile(this::leave);
    }

    private void leave() {
        try {
            Scratch.delete(directory);
            note(file, "");
            file.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot leave the demo's directory", failure);
        }
    }
}
