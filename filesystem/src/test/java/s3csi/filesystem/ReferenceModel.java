package s3csi.filesystem;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the file system should look like: keys in the store, files being written, directories made or emptied here. */
final class ReferenceModel {
    final TreeMap<String, byte[]> remote = new TreeMap<>();
    final Map<String, Boolean> localDirectories = new HashMap<>();
    final TreeSet<String> writing = new TreeSet<>();

    /** All paths, directories with a slash behind. */
    Set<String> paths() {
        TreeSet<String> directories = new TreeSet<>();
        TreeSet<String> files = new TreeSet<>();
        for (String key : remote.keySet()) {
            addKey(key, directories, files);
        }
        for (String path : localDirectories.keySet()) {
            addLocal(path, true, directories, files);
        }
        for (String path : writing) {
            addLocal(path, false, directories, files);
        }
        TreeSet<String> all = new TreeSet<>();
        for (String directory : directories) {
            all.add(directory + '/');
        }
        for (String file : files) {
            if (!directories.contains(file)) {
                all.add(file);
            }
        }
        return all;
    }

    private static void addKey(String key, Set<String> directories, Set<String> files) {
        StringBuilder path = new StringBuilder();
        String[] names = key.split("/", -1);
        for (int i = 0; i < names.length; i++) {
            boolean isLast = i == names.length - 1;
            if (!isValid(names[i])) {
                return;
            }
            path.append(i == 0 ? "" : "/").append(names[i]);
            if (isLast) {
                files.add(path.toString());
            } else {
                directories.add(path.toString());
            }
        }
    }

    /** What exists here is reached only through directories that exist. */
    private static void addLocal(String path, boolean isDirectory, Set<String> directories, Set<String> files) {
        int slash = path.lastIndexOf('/');
        while (slash > 0) {
            directories.add(path.substring(0, slash));
            slash = path.lastIndexOf('/', slash - 1);
        }
        if (isDirectory) {
            directories.add(path);
        } else {
            files.add(path);
        }
    }

    private static boolean isValid(String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }

    /** A directory stays when something in it was removed here, though nothing in the store implies it any more. */
    void keepParentOf(String removed) {
        int slash = removed.lastIndexOf('/');
        if (slash > 0) {
            String parent = removed.substring(0, slash);
            TreeSet<String> implied = new TreeSet<>();
            remote.keySet().forEach(key -> addKey(key, implied, new TreeSet<>()));
            if (!implied.contains(parent)) {
                localDirectories.put(parent, true);
            }
        }
    }

    boolean isDirectory(String path) {
        return path.isEmpty() || paths().contains(path + '/');
    }

    boolean isFile(String path) {
        return paths().contains(path);
    }

    /** Stores an object; directories above it exist in the store from then on. */
    void store(String key, byte[] bytes) {
        remote.put(key, bytes);
        int slash = key.indexOf('/');
        while (slash > 0) {
            localDirectories.remove(key.substring(0, slash));
            slash = key.indexOf('/', slash + 1);
        }
    }
}
