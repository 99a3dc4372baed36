package s3csi.testbed.bench.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.ChildProcess;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;
import s3csi.testbed.contender.Texts;

/**
 * The kernel's copy of a file's data. A new mount would be without it too, but also with a new process behind it; and what is
 * measured is an engine that has been running for a while.
 */
final class PageCache {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private PageCache() {}

    /** Makes the kernel forget the data of a file, and sees that it did. */
    static void drop(Path file) {
        Path directory = Scratch.directory("page-cache");
        try {
            run(
                    directory.resolve("dd"),
                    Tools.installed("dd", "coreutils").toString(),
                    "if=" + file,
                    "iflag=nocache",
                    "count=0",
                    "status=none");
            Path answer = directory.resolve("fincore");
            run(
                    answer,
                    Tools.installed("fincore", "util-linux-extra").toString(),
                    "--bytes",
                    "--noheadings",
                    "--output",
                    "RES",
                    file.toString());
            if (!Texts.firstLine(answer).equals("0")) {
                throw new IllegalStateException(
                        "%s bytes of %s are still in the page cache: its reading would not be measured"
                                .formatted(Texts.firstLine(answer), file));
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private static void run(Path log, String... command) {
        ChildProcess.run(List.of(command), Map.of(), log, DEADLINE);
    }
}
