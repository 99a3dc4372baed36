package s3csi.filesystem.cache;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import s3csi.linux.DirectoryTree;
import s3csi.linux.OwnDirectory;

/**
 * Where the files of the cache are: {@code <directory>/mountpoint-cache[/<partition>]/} with {@code blocks-1}, whose number is that of the format,
 * {@code new} for files being written, and {@code gone-*}: what was moved out of the way, to be removed without haste.
 */
final class CacheDirectory {
    private static final String BLOCKS = "blocks-1";
    private static final String NEW = "new";
    private static final String GONE = "gone-";
    private static final int PREFIX = 2;

    private final Path base;
    private final Path root;
    private final Path blocks;
    private final Path unfinished;

    CacheDirectory(Path directory, @Nullable String partition) {
        base = directory.resolve("mountpoint-cache");
        root = partition == null
                ? base
                : base.resolve("of-" + ObjectHash.ofText(partition).hex());
        blocks = root.resolve(BLOCKS);
        unfinished = root.resolve(NEW);
    }

    Path root() {
        return root;
    }

    /** Makes the directories, for nobody else to look into, and moves what a process before this one left half-done out of the way. */
    void prepare() throws IOException {
        makeRoot();
        for (Path left : children(root)) {
            String name = left.getFileName().toString();
            boolean ours = name.equals(BLOCKS) || name.startsWith("of-") || name.startsWith(GONE);
            if (!ours) {
                moveAway(left);
            }
        }
        makePrivate(blocks);
        makePrivate(unfinished);
    }

    private void makeRoot() throws IOException {
        makePrivate(base);
        makePrivate(root);
    }

    /** Moves all blocks away, at once. */
    void clear() throws IOException {
        moveAway(blocks);
        makePrivate(blocks);
    }

    /** Removes what was moved away. */
    void removeGone() throws IOException {
        for (Path gone : children(root)) {
            if (gone.getFileName().toString().startsWith(GONE)) {
                DirectoryTree.remove(gone);
            }
        }
    }

    Path fileOf(ObjectHash object, long number) {
        String hex = object.hex();
        return blocks.resolve(hex.substring(0, PREFIX))
                .resolve(hex.substring(PREFIX))
                .resolve("%010d".formatted(number));
    }

    /** A name for a file to be written. */
    Path newFile() {
        return unfinished.resolve(UUID.randomUUID().toString());
    }

    /** Makes the directory of a block's file, and all above it should somebody have removed them. */
    void makeDirectoryOf(Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            makeRoot();
            makePrivate(blocks);
            Files.createDirectories(parent);
        }
        if (!Files.isDirectory(unfinished)) {
            makeRoot();
            makePrivate(unfinished);
        }
    }

    /** Removes a block's file, and its directory when that was the last of the object. */
    void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        Path parent = file.getParent();
        if (parent != null) {
            try {
                Files.deleteIfExists(parent);
            } catch (DirectoryNotEmptyException _) {
                // Other blocks of the object are there.
            }
        }
    }

    /** Whoever hears of the blocks there are. */
    interface Finder {
        /** False if the block cannot be used, so that its file should go. */
        boolean found(ObjectHash object, int number, int fileSize, long modifiedMillis);
    }

    /** Tells of the blocks there are, in any order. Files with other names are left alone. */
    void find(Finder finder) throws IOException {
        Files.walkFileTree(blocks, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!isKept(file, attributes, finder)) {
                    delete(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // Evicted meanwhile.
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) {
                // Perhaps removed with its last block.
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private boolean isKept(Path file, BasicFileAttributes attributes, Finder finder) {
        Path relative = blocks.relativize(file);
        long size = attributes.size();
        if (relative.getNameCount() != 3
                || size <= BlockFile.HEADER
                || size > BlockFile.HEADER + DiskCache.BLOCK_SIZE) {
            return true;
        }
        ObjectHash object;
        int number;
        try {
            object = ObjectHash.parse(relative.getName(0) + relative.getName(1).toString());
            number = Integer.parseInt(relative.getName(2).toString());
        } catch (IllegalArgumentException _) {
            return true;
        }
        return finder.found(
                object, number, (int) size, attributes.lastModifiedTime().toMillis());
    }

    private void moveAway(Path path) throws IOException {
        if (Files.exists(path)) {
            Files.move(path, root.resolve(GONE + UUID.randomUUID()));
        }
    }

    /** For nobody else to look into. A link there could lead to any directory, whose content would be taken for what is left of a cache. */
    private static void makePrivate(Path directory) throws IOException {
        var onlyOurs = PosixFilePermissions.fromString("rwx------");
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(onlyOurs));
        }
        OwnDirectory.require(directory);
        Files.setPosixFilePermissions(directory, onlyOurs);
    }

    private static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            return children.toList();
        }
    }
}
