package s3csi.testbed.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Tools;
import s3csi.s3.testing.server.MinioServer;
import s3csi.testbed.accepted.AcceptedList;

/**
 * pjdfstest, a collection of tests for what POSIX asks of a file system. A mounted bucket is none in many ways, each of which has a
 * reason: what fails must be what the list says, no more and no less.
 */
@Tag("posix")
final class PosixTest {
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /** {@code open::etxtbsy    FAILED}. */
    private static final Pattern RESULT = Pattern.compile("^([a-z0-9_:]+) +(ok|FAILED|skipped)$", Pattern.MULTILINE);

    private static final String SETTINGS = """
            [features]
            [settings]
            naptime = 0.01
            allow_remount = false
            [dummy_auth]
            entries = [["nobody", "nogroup"], ["daemon", "daemon"]]
            """;

    @Test
    void onlyWhatABucketCannotDoFails() throws IOException {
        try (MinioServer server = MinioServer.start();
                Sandbox sandbox = new Sandbox(server)) {
            PrivateShell.Ran ran = sandbox.run("""
                    cat >~/settings <<'END'
                    %sEND
                    mount-s3 my-bucket /mnt --allow-delete --allow-overwrite --allow-other >/dev/null
                    mkdir /mnt/tests
                    '%s' --configuration-file ~/settings --path /mnt/tests 2>&1
                    umount /mnt
                    """.formatted(SETTINGS, Tools.built("pjdfstest")), DEADLINE);

            assertThat(named(ran.output(), "ok")).as(ran.output()).hasSizeGreaterThan(90);
            assertThat(named(ran.output(), "FAILED"))
                    .containsExactlyInAnyOrderElementsOf(AcceptedList.names(PosixTest.class, "posix-failures.txt"));
        }
    }

    private static List<String> named(String output, String result) {
        return RESULT.matcher(output)
                .results()
                .filter(match -> match.group(2).equals(result))
                .map(match -> match.group(1))
                .toList();
    }
}
