package s3csi.mounter.command;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.ProcessConfig;

final class FstabOptionsTest {
    private static MountConfig mount(String bucket, String options) throws Exception {
        return CommandLines.config(List.of(bucket, "/mnt", "-o", options), Map.of());
    }

    @Test
    void textIsSplitAtCommas() throws Exception {
        assertThat(FstabOptions.split("")).containsExactly("");
        assertThat(FstabOptions.split("one")).containsExactly("one");
        assertThat(FstabOptions.split("one,two")).containsExactly("one", "two");
        assertThat(FstabOptions.split("one,")).containsExactly("one", "");
        assertThat(FstabOptions.split("a\\,b,c")).containsExactly("a,b", "c");
        assertThat(FstabOptions.split("a\\\"b,c")).containsExactly("a\"b", "c");
        assertThat(FstabOptions.split("a\\\\,c")).containsExactly("a\\", "c");
        assertThat(FstabOptions.split("größe,日本")).containsExactly("größe", "日本");
        assertThat(FstabOptions.split("a🙂\\,b,🙂")).containsExactly("a🙂,b", "🙂");
        assertThat(FstabOptions.split("--a,-b")).containsExactly("--a", "-b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\", "\\", "\"a\"", "a,\"", "a\\n", "\\🙂", "a\\ b"})
    void whatCannotBeSplitIsRefused(String text) {
        assertThat(catchException(() -> FstabOptions.split(text))).isInstanceOf(UsageError.class);
    }

    @Test
    void aFullListIsTranslatedExactly() throws Exception {
        assertThat(FstabOptions.translate(List.of(
                        "s3://bucket/a/",
                        "/mnt",
                        "-o",
                        "_netdev,nofail,x-systemd.automount,ro,uid=7,allow-other,cache=/a\\,b,metadata-ttl=60")))
                .containsExactly(
                        "--read-only",
                        "--uid=7",
                        "--allow-other",
                        "--cache=/a,b",
                        "--metadata-ttl=60",
                        "--",
                        "s3://bucket/a/",
                        "/mnt");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "_netdev",
                "rw",
                "auto",
                "noauto",
                "user",
                "nouser",
                "users",
                "nofail",
                "nodev",
                "nosuid",
                "x-systemd.requires=network",
                "rw,_netdev,nosuid,nodev,nofail"
            })
    void whatIsMeantForOthersIsDropped(String options) throws Exception {
        assertThat(mount("bucket", options)).isEqualTo(mount("bucket", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ro,rw | 'ro' and 'rw'",
                "foreground | cannot be used in fstab",
                "help | cannot be used in fstab",
                "read-only | write 'ro'",
                "prefix=a/,prefix=b/ | multiple times",
                "--uid=2 | begins with '-'",
                "-f | begins with '-'",
                "alow-other | similar argument exists: '--allow-other'",
                "\\ | backslash",
                "\"a\" | double quote",
                "cache=\"/c\" | double quote",
                "uid=x | whole number",
                "debug=1 | unexpected value",
                "allow-root,allow-other | cannot be used with",
                "prefix=a | must end in",
                "incremental-upload | not supported"
            })
    void anythingElseIsRefusedInClearWords(String options, String expected) {
        assertThat(catchException(() -> mount("bucket", options)))
                .isInstanceOfSatisfying(
                        UsageError.class, error -> assertThat(error.report()).contains(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "bucket/a", "s3://bucket/a", "s3://arn:aws:s3:::x/", "s3://b"})
    void theBucketIsCheckedAsOnTheCommandLine(String bucket) {
        assertThat(catchException(() -> mount(bucket, "ro"))).isInstanceOf(UsageError.class);
    }

    @Test
    void aUriDoesNotGoWithAPrefix() {
        assertThat(catchException(() -> mount("s3://bucket/a/", "prefix=b/")))
                .hasMessageContaining("not allowed with S3 URI");
    }

    @Test
    void optionsWithoutTextAreNotTheFstabForm() {
        assertThat(CommandLines.usageErrorOf(List.of("bucket", "/mnt", "-o"))).contains("unexpected argument '-o'");
    }

    @Test
    void mountingByFstabIsAlwaysInTheBackground() throws Exception {
        MountConfig config = mount("s3://bucket/a/", "ro,uid=3,gid=4,debug");
        assertThat(config.process().foreground()).isFalse();
        assertThat(config.process().isFstab()).isTrue();
        assertThat(config.files().permissions().readOnly()).isTrue();
        assertThat(config.files().appearance().uid()).isEqualTo(3);
        assertThat(config.log().debugEngine()).isTrue();
        assertThat(config.source().prefix()).isEqualTo("a/");
        assertThat(config.mountPoint()).isEqualTo(new MountPoint.Directory(Path.of("/mnt")));
    }

    @Test
    void anEscapedCommaIsPartOfAPrefix() throws Exception {
        assertThat(mount("bucket", "prefix=a\\,b/,ro").source().prefix()).isEqualTo("a,b/");
        assertThat(requireNonNull(mount("bucket", "cache=\\\"/c\\\"").files().cache())
                        .directory())
                .isEqualTo(Path.of("\"/c\""));
    }

    @Test
    void splittingUndoesEscaping() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            List<String> items = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                items.add(randomText(random));
            }
            String text = items.stream().map(FstabOptionsTest::escape).collect(Collectors.joining(","));
            assertThat(FstabOptions.split(text))
                    .as("seed %d, text %s", seed, text)
                    .isEqualTo(items);
        }
    }

    @Test
    void aCommandLineMeansTheSameInFstab() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<String> words = randomOptions(random);
            String options = words.stream()
                    .map(word -> word.equals("--read-only") ? "ro" : escape(word.substring(2)))
                    .collect(Collectors.joining(","));
            MountConfig byFstab = mount("bucket", options);
            MountConfig byCommand = CommandLines.with(words.toArray(String[]::new));
            assertThat(ordinary(byFstab))
                    .as("seed %d, options %s", seed, options)
                    .isEqualTo(byCommand);
        }
    }

    private static MountConfig ordinary(MountConfig fstab) {
        ProcessConfig process = fstab.process();
        return new MountConfig(
                fstab.source(),
                fstab.mountPoint(),
                fstab.store(),
                fstab.upload(),
                fstab.files(),
                fstab.access(),
                fstab.client(),
                fstab.log(),
                fstab.metrics(),
                new ProcessConfig(process.foreground(), false, process.autoUnmount(), process.pidFile()),
                fstab.warnings());
    }

    private static List<String> randomOptions(Random random) {
        List<String> candidates = List.of(
                "--read-only",
                "--allow-delete",
                "--allow-other",
                "--debug",
                "--log-metrics",
                "--force-path-style",
                "--prefix=" + randomText(random) + "/",
                "--region=r" + randomText(random),
                "--uid=" + random.nextInt(100_000),
                "--file-mode=" + Integer.toOctalString(random.nextInt(01000)),
                "--metadata-ttl=" + random.nextInt(100),
                "--profile=p" + randomText(random),
                "--cache=/c" + randomText(random),
                "--part-size=" + (5 + random.nextInt(60)) * (1 << 20));
        List<String> chosen = new ArrayList<>();
        for (String candidate : candidates) {
            if (random.nextBoolean()) {
                chosen.add(candidate);
            }
        }
        return chosen;
    }

    private static String randomText(Random random) {
        List<String> letters = List.of("a", "b", "=", "-", ",", "\"", "\\", "é", "🙂", " ");
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(letters.get(random.nextInt(letters.size())));
        }
        return text.toString();
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace(",", "\\,");
    }
}
