package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.filesystem.testing.RealMount;

/** Keys that are no good paths, through the real kernel: what can be shown is, and nothing leads elsewhere. */
@Tag("engine")
class HostileKeyTest {
    private static final String DEEP = "k".repeat(200) + '/';

    @Test
    void onlyPathsAreShownAndTheyStayInside() throws Exception {
        try (RealMount mount = RealMount.of(FileSystemConfig.defaults(0, 0))) {
            for (String key : List.of(
                    "../../etc/passwd",
                    "a/../../escape",
                    "/absolute",
                    "a//b",
                    "./x",
                    "a/./y",
                    "a/..",
                    "nul\0byte",
                    "both",
                    "both/below",
                    "new\nline",
                    "-rf *",
                    "\u202e\uD83D\uDE80")) {
                mount.memory.add(key, bytes("content"));
            }

            RealMount.Ran found = mount.run("find . -print0 | tr '\\n\\0' '?\\n' | LC_ALL=C sort");

            assertThat(found.exit()).isZero();
            assertThat(found.output().lines())
                    .containsExactlyInAnyOrder(
                            ".", "./-rf *", "./a", "./both", "./both/below", "./new?line", "./\u202e\uD83D\uDE80");
            assertThat(mount.run("cat a/../both/below a/../../$(basename \"$PWD\")/both/below")
                            .output())
                    .isEqualTo("contentcontent");
            assertThat(mount.run("cat a/x 2>&1 || cat $'new\\nline' './-rf *'").output())
                    .endsWith("contentcontent");
        }
    }

    @Test
    void theLongestKeyIsReadAndLongerOnesAreRefused() throws Exception {
        String longest = DEEP.repeat(5) + "k".repeat(1024 - 5 * DEEP.length());
        try (RealMount mount = RealMount.of(FileSystemConfig.defaults(0, 0))) {
            mount.memory.add(longest, bytes("deep"));
            mount.memory.add("n".repeat(300), bytes("long"));
            mount.memory.add("d".repeat(300) + "/below", bytes("long"));

            assertThat(mount.run("cat " + longest).output()).isEqualTo("deep");
            assertThat(mount.run("ls | tail -1 | tr -d '\\n' | wc -c").output()).isEqualTo("300\n");
            // Right after the listing, when the kernel asks us for nothing that it has an entry of.
            assertThat(mount.run("cat " + "n".repeat(300)).output()).endsWith("File name too long\n");
            assertThat(mount.run("cd " + "d".repeat(300)).output()).endsWith("File name too long\n");
            assertThat(mount.run("echo x > " + longest + "k").output()).contains("File name too long");
            assertThat(mount.run("echo x > " + DEEP.repeat(5) + "new && cat " + DEEP.repeat(5) + "new")
                            .output())
                    .isEqualTo("x\n");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
