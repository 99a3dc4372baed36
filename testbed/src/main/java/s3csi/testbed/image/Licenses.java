package s3csi.testbed.image;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the project's NOTICE says: under which licence is what. */
record Licenses(Map<String, String> byPattern) {
    /** Of its tables: a line has a library, its licence, and patterns of files or packages, which may go on in the next lines. */
    static Licenses read(Path notice) throws IOException {
        Map<String, String> licenses = new LinkedHashMap<>();
        String license = "";
        for (String line : Files.readAllLines(notice)) {
            if (line.startsWith("  ")) {
                String[] columns = line.strip().split(" {2,}", 3);
                license = columns.length == 3 ? columns[1] : license;
                for (String pattern : columns[columns.length - 1].split(" ", -1)) {
                    licenses.put(pattern, license);
                }
            }
        }
        return new Licenses(licenses);
    }

    /** Empty if NOTICE does not name it. */
    String of(String fileOrPackage) {
        Path name = Path.of(fileOrPackage);
        return byPattern.entrySet().stream()
                .filter(entry -> FileSystems.getDefault()
                        .getPathMatcher("glob:" + entry.getKey())
                        .matches(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
