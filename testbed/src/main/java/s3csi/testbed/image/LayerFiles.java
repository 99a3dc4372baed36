package s3csi.testbed.image;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What of a directory goes into one layer of an image: paths below the root, in the order of their names. */
record LayerFiles(Path root, SortedSet<Path> paths) {
    private static final int EXECUTABLE_BY_OWNER = 0100;
    private static final int STICKY = 01000;

    /** One for each pattern, of the kind that {@link java.nio.file.FileSystem#getPathMatcher} calls glob. Every file is in the last that it matches. */
    static List<LayerFiles> of(Path root, List<String> patterns) throws IOException {
        List<PathMatcher> matchers = patterns.stream()
                .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + pattern))
                .toList();
        List<LayerFiles> layers = new ArrayList<>();
        patterns.forEach(_ -> layers.add(new LayerFiles(root, new TreeSet<>())));
        try (Stream<Path> all = Files.walk(root)) {
            all.skip(1).map(root::relativize).forEach(path -> {
                int layer = matchers.size() - 1;
                while (layer >= 0 && !matchers.get(layer).matches(path)) {
                    layer--;
                }
                if (layer < 0) {
                    throw new IllegalArgumentException(path + " belongs to none of the layers " + patterns);
                }
                layers.get(layer).add(path);
            });
        }
        return layers;
    }

    /** With the directories that it is in. */
    private void add(Path path) {
        for (Path each = path; each != null; each = each.getParent()) {
            paths.add(each);
        }
    }

    /** Modes are what the programs need, not what the umask of the build was; nothing is setuid. */
    void writeTo(TarWriter tar) throws IOException {
        for (Path path : paths) {
            Path file = root.resolve(path);
            String name = path.toString();
            int mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            if (Files.isSymbolicLink(file)) {
                tar.link(name, Files.readSymbolicLink(file).toString());
            } else if (Files.isDirectory(file)) {
                tar.directory(name, (mode & STICKY) != 0 ? 01777 : 0755);
            } else if (Files.isRegularFile(file)) {
                tar.file(name, (mode & EXECUTABLE_BY_OWNER) != 0 ? 0755 : 0644, file);
            } else {
                throw new IOException(file + " is neither a file, a directory nor a link");
            }
        }
    }
}
