package s3csi.testbed.outage;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Users of a mounted bucket: writers of large files, which have to be sent in parts, and of small ones, readers, and some who list and
 * look. They go on until told otherwise; whatever goes wrong is noted.
 */
final class Crowd {
    private static final int MIB = 1 << 20;
    private static final int LARGE = 24 * MIB;
    private static final int SMALL = 20_000;
    private static final int MOST_SMALL = 10;
    private static final int READ = 8 * MIB;

    private final Path directory;
    private final Size size;
    private final List<Thread> users = new ArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final AtomicInteger done = new AtomicInteger();
    private volatile boolean isOver;

    /** How many there are of each kind. */
    record Size(int largeWriters, int smallWriters, int readers, int others) {}

    private interface Work {
        void run() throws IOException;
    }

    Crowd(Path directory, Size size) throws IOException {
        this.directory = directory;
        this.size = size;
        Files.createDirectory(directory.resolve("large"));
        Files.createDirectory(directory.resolve("small"));
        Files.createDirectory(directory.resolve("read"));
        for (int i = 0; i < 4; i++) {
            Files.write(directory.resolve("read/" + i), content("read" + i, READ));
        }
    }

    private static byte[] content(String name, int length) {
        byte[] bytes = new byte[length];
        new Random(name.hashCode()).nextBytes(bytes);
        return bytes;
    }

    void start() {
        for (int i = 0; i < size.largeWriters; i++) {
            String name = "large/" + i;
            user(name, () -> writeLarge(name));
        }
        for (int i = 0; i < size.smallWriters; i++) {
            String name = "small/" + i + '-';
            user(name, () -> writeSmall(name));
        }
        for (int i = 0; i < size.readers; i++) {
            String name = "read/" + i % 4;
            user(name, () -> repeat(Duration.ofMillis(20), () -> check(name, "read" + name.substring(5), READ)));
        }
        for (int i = 0; i < size.others; i++) {
            user("list", () -> repeat(Duration.ofMillis(50), this::list));
            String name = "read/" + i % 4;
            user("stat", () -> repeat(Duration.ofMillis(5), () -> look(name)));
        }
        users.forEach(Thread::start);
    }

    private void user(String name, Work work) {
        users.add(Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            try {
                work.run();
            } catch (IOException | UncheckedIOException e) {
                errors.add(name + ": " + e);
            }
        }));
    }

    private void repeat(Duration pace, Work work) throws IOException {
        while (!isOver) {
            work.run();
            done.incrementAndGet();
            LockSupport.parkNanos(pace.toNanos());
        }
    }

    /** Slow enough that an outage comes in its middle. */
    private void writeLarge(String name) throws IOException {
        byte[] bytes = content(name, LARGE);
        try (OutputStream out = Files.newOutputStream(directory.resolve(name))) {
            for (int at = 0; at < LARGE; at += MIB) {
                out.write(bytes, at, MIB);
                done.incrementAndGet();
                LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
            }
        }
        check(name, name, LARGE);
    }

    private void writeSmall(String name) throws IOException {
        for (int i = 0; i < MOST_SMALL || !isOver; i++) {
            if (i < MOST_SMALL) {
                Files.write(directory.resolve(name + i), content(name + i, SMALL));
                done.incrementAndGet();
            }
            LockSupport.parkNanos(Duration.ofMillis(250).toNanos());
        }
        for (int i = 0; i < MOST_SMALL; i++) {
            check(name + i, name + i, SMALL);
        }
    }

    private void check(String name, String seed, int length) throws IOException {
        byte[] bytes = Files.readAllBytes(directory.resolve(name));
        if (!Arrays.equals(bytes, content(seed, length))) {
            throw new IOException(name + " has other bytes than were written, " + bytes.length + " of them");
        }
    }

    private void list() throws IOException {
        try (Stream<Path> names = Files.list(directory.resolve("read"))) {
            long count = names.count();
            if (count != 4) {
                throw new IOException("the listing shows " + count + " names of 4");
            }
        }
    }

    private void look(String name) throws IOException {
        long length = Files.readAttributes(directory.resolve(name), BasicFileAttributes.class)
                .size();
        if (length != READ) {
            throw new IOException(name + " has " + length + " bytes for stat");
        }
    }

    /** How much was done so far, in pieces. */
    int done() {
        return done.get();
    }

    List<String> errors() {
        return errors;
    }

    /** Lets everybody finish what they do, and waits for that. */
    void end(Duration deadline) {
        isOver = true;
        long until = System.nanoTime() + deadline.toNanos();
        for (Thread user : users) {
            try {
                if (!user.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
                    errors.add(user.getName() + ": has not ended");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while users of a mount finish", e);
            }
        }
    }
}
