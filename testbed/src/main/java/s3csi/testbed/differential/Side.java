package s3csi.testbed.differential;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One of the two mounts, with the files that a sequence has open there. */
final class Side {
    private final Path root;
    private final Map<Integer, FileChannel> open = new TreeMap<>();

    Side(Path root) {
        this.root = root;
    }

    Result perform(Action action) {
        try {
            return switch (action) {
                case Action.Open(int handle, String path, OpenKind mode) -> open(handle, path, mode);
                case Action.Read(int handle, int offset, int length) -> read(handle, offset, length);
                case Action.Write(int handle, int length, long seed) -> write(handle, length, seed);
                case Action.WriteAt(int handle, int offset, int length, long seed) ->
                    writeAt(handle, offset, length, seed);
                case Action.Resize(int handle, int size) -> resize(handle, size);
                case Action.Sync(int handle) -> sync(handle);
                case Action.Close(int handle) -> close(handle);
                case Action.Look(String path) -> look(path);
                case Action.List(String path) -> list(path);
                case Action.MakeDirectory(String path) -> done(Files.createDirectory(root.resolve(path)));
                case Action.Remove(String path) -> remove(path);
                case Action.Rename(String from, String to) ->
                    done(Files.move(root.resolve(from), root.resolve(to), StandardCopyOption.ATOMIC_MOVE));
                case Action.SetMode(String path, String mode) ->
                    done(Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString(mode)));
                case Action.SetTime(String path, long seconds) ->
                    done(Files.setLastModifiedTime(root.resolve(path), FileTime.fromMillis(seconds * 1000)));
                case Action.Symlink(String path, String target) ->
                    done(Files.createSymbolicLink(root.resolve(path), Path.of(target)));
                case Action.Link(String path, String existing) ->
                    done(Files.createLink(root.resolve(path), root.resolve(existing)));
            };
        } catch (IOException failure) {
            return Result.of(failure);
        } catch (RuntimeException refusal) {
            return Result.refused(refusal);
        }
    }

    /** Closes what is still open, in the order of the numbers, and tells what each close came to. */
    List<Result> closeAll() {
        List<Result> results = new ArrayList<>();
        for (int handle : List.copyOf(open.keySet())) {
            results.add(perform(new Action.Close(handle)));
        }
        return results;
    }

    private static Result done(@Nullable Object ignored) {
        return Result.ok("");
    }

    /** A sequence says what it wants of a file that its open may have failed to give; that is no business of the mount. */
    private static Result notOpen() {
        return new Result("not-open", "");
    }

    private Result open(int handle, String path, OpenKind mode) throws IOException {
        if (open.containsKey(handle)) {
            return new Result("already-open", "");
        }
        open.put(handle, FileChannel.open(root.resolve(path), mode.options()));
        return Result.ok("");
    }

    private Result read(int handle, int offset, int length) throws IOException {
        FileChannel channel = open.get(handle);
        if (channel == null) {
            return notOpen();
        }
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && channel.read(buffer, (long) offset + buffer.position()) > 0) {
            // A read may return less than there is.
        }
        CRC32C crc = new CRC32C();
        crc.update(buffer.flip());
        return Result.ok("%d bytes %08x".formatted(buffer.limit(), crc.getValue()));
    }

    private Result write(int handle, int length, long seed) throws IOException {
        FileChannel channel = open.get(handle);
        return channel == null ? notOpen() : Result.ok(channel.write(bytes(length, seed)) + " bytes");
    }

    private Result writeAt(int handle, int offset, int length, long seed) throws IOException {
        FileChannel channel = open.get(handle);
        return channel == null ? notOpen() : Result.ok(channel.write(bytes(length, seed), offset) + " bytes");
    }

    private static ByteBuffer bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private Result resize(int handle, int size) throws IOException {
        FileChannel channel = open.get(handle);
        return channel == null ? notOpen() : done(channel.truncate(size));
    }

    private Result sync(int handle) throws IOException {
        FileChannel channel = open.get(handle);
        if (channel == null) {
            return notOpen();
        }
        channel.force(true);
        return Result.ok("");
    }

    private Result close(int handle) throws IOException {
        FileChannel channel = open.remove(handle);
        if (channel == null) {
            return notOpen();
        }
        channel.close();
        return Result.ok("");
    }

    private Result look(String path) throws IOException {
        var found = Files.readAttributes(root.resolve(path), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String size = found.isDirectory() ? "" : " " + found.size();
        return Result.ok(type(found) + " " + PosixFilePermissions.toString(found.permissions()) + size);
    }

    private static String type(PosixFileAttributes found) {
        return found.isDirectory() ? "directory" : found.isRegularFile() ? "file" : "other";
    }

    private Result list(String path) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(path))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        }
        Collections.sort(names);
        return Result.ok(names.toString());
    }

    private Result remove(String path) throws IOException {
        Files.delete(root.resolve(path));
        return Result.ok("");
    }
}
