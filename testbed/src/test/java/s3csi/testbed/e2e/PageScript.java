package s3csi.testbed.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The commands of a page for users: its blocks in the language {@code sh}, in their order. Blocks in no language are for people only. */
record PageScript(Path page, List<String> commands) {
    private static final Pattern BLOCK = Pattern.compile("^```sh\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    static PageScript of(Path page) {
        try {
            return new PageScript(
                    page,
                    BLOCK.matcher(Files.readString(page))
                            .results()
                            .map(block -> block.group(1))
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + page, e);
        }
    }

    /** All of it for a shell that ends at the first command which fails, and says which. */
    String script() {
        return "set -euo pipefail\n" + String.join("", commands);
    }
}
