package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.s3.http.Trust;

class ProfileCredentialsTest {
    @TempDir
    Path home;

    private Path file = Path.of("");

    @BeforeEach
    void makeDirectory() throws Exception {
        Files.createDirectory(home.resolve(".aws"));
        file = home.resolve(".aws/credentials");
    }

    private CredentialsSource source(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("HOME", home.toString());
        return new CredentialsOptions(
                        environment, false, more.get("profile"), null, null, Trust.platform(), Clock.systemUTC())
                .source();
    }

    private void write(String id, String secret) throws Exception {
        Files.writeString(file, "[default]\naws_access_key_id=" + id + "\naws_secret_access_key=" + secret + "\n");
    }

    @Test
    void aProfileIsReadWithCommentsAndTokens() throws Exception {
        Files.writeString(file, """
                # comment
                [other]
                aws_access_key_id = x
                [mine]
                aws_access_key_id = AKIA   # a comment
                aws_secret_access_key = se#cr=et
                s3 =
                  nested = 1
                aws_session_token=tok
                """);

        assertThat(source(Map.of("AWS_PROFILE", "mine")).current())
                .isEqualTo(new Credentials.Keys("AKIA", "se#cr=et", "tok", null));
    }

    @Test
    void aChangedFileCountsAtOnce() throws Exception {
        write("old", "1");
        CredentialsSource source = source(Map.of());
        assertThat(source.current()).isEqualTo(new Credentials.Keys("old", "1"));

        write("newer", "2");

        assertThat(source.current()).isEqualTo(new Credentials.Keys("newer", "2"));
    }

    @Test
    void aFileReplacedByAnotherOfTheSameSizeAndTimeCountsToo() throws Exception {
        write("old", "1");
        CredentialsSource source = source(Map.of());
        source.current();
        var time = Files.getLastModifiedTime(file);
        Path next = home.resolve("next");
        Files.writeString(next, Files.readString(file).replace("old", "new"));
        Files.setLastModifiedTime(next, time);

        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);

        assertThat(source.current()).isEqualTo(new Credentials.Keys("new", "1"));
    }

    @Test
    void keysThatWorkedStayWhileTheFileIsMissingOrHalfWritten() throws Exception {
        write("old", "1");
        CredentialsSource source = source(Map.of());
        source.current();

        Files.writeString(file, "[default]\naws_access_key_id=new\n");
        assertThat(source.current()).isEqualTo(new Credentials.Keys("old", "1"));
        Files.delete(file);
        assertThat(source.current()).isEqualTo(new Credentials.Keys("old", "1"));
        write("new", "2");
        assertThat(source.current()).isEqualTo(new Credentials.Keys("new", "2"));
    }

    @Test
    void aFileThatAppearsLaterIsFound() throws Exception {
        CredentialsSource source = source(Map.of());
        assertThatThrownBy(source::current).hasMessageContaining("no credentials found");

        write("id", "secret");

        assertThat(source.current()).isEqualTo(new Credentials.Keys("id", "secret"));
    }

    @Test
    void aMissingKeyIsNamedWithoutTheOther() throws Exception {
        Files.writeString(file, "[default]\naws_secret_access_key=topsecret\n");

        assertThatThrownBy(source(Map.of("profile", "default"))::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("has no aws_access_key_id")
                .hasMessageNotContaining("topsecret");
    }

    @Test
    void theEnvironmentComesFirstUnlessAProfileIsNamed() throws Exception {
        write("file", "1");
        Map<String, String> keys = Map.of("AWS_ACCESS_KEY_ID", "env", "AWS_SECRET_ACCESS_KEY", "2");

        assertThat(source(keys).current()).isEqualTo(new Credentials.Keys("env", "2"));
        Map<String, String> named = new HashMap<>(keys);
        named.put("profile", "default");
        assertThat(source(named).current()).isEqualTo(new Credentials.Keys("file", "1"));
    }

    @Test
    void aConfigFileHoldsProfilesUnderALongerName() throws Exception {
        Files.writeString(
                home.resolve(".aws/config"), "[profile mine]\naws_access_key_id=a\naws_secret_access_key=b\n");

        assertThat(source(Map.of("profile", "mine")).current()).isEqualTo(new Credentials.Keys("a", "b"));
    }

    @Test
    void keysDoNotPrintTheirSecret() {
        assertThat(new Credentials.Keys("id", "topsecret", "toptoken", null).toString())
                .contains("id")
                .doesNotContain("topsecret")
                .doesNotContain("toptoken");
    }

    private Path command(String body) throws Exception {
        Path script = Files.writeString(home.resolve("give keys"), "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(
                home.resolve(".aws/config"),
                "[default]\ncredential_process = \"" + script + "\" 'first word' second\n");
        return script;
    }

    @Test
    void aCommandGivesKeysThatAreKeptUntilTheyEnd() throws Exception {
        command("""
                echo run >> "$HOME/runs"
                printf '{"Version": 1, "AccessKeyId": "%s", "SecretAccessKey": "s/\\u0041", "SessionToken": "t",' "$1/$2/$SEEN"
                printf '"Expiration": "2126-01-01T00:00:00+00:00"}'
                """);
        CredentialsSource source = source(Map.of("SEEN", "by the command"));
        Credentials.Keys keys = new Credentials.Keys(
                "first word/second/by the command", "s/A", "t", Instant.parse("2126-01-01T00:00:00Z"));
        assertThat(source.current()).isEqualTo(keys);
        assertThat(source.current()).isEqualTo(keys);
        assertThat(Files.readAllLines(home.resolve("runs"))).hasSize(1);

        source.rejected(keys);
        assertThat(source.current()).isEqualTo(keys);
        assertThat(Files.readAllLines(home.resolve("runs"))).hasSize(2);
    }

    @Test
    void keysInTheFileComeBeforeACommand() throws Exception {
        command("exit 1");
        write("id", "secret");
        assertThat(source(Map.of()).current()).isEqualTo(new Credentials.Keys("id", "secret"));
    }

    @Test
    void aCommandThatFailsIsNamedWithoutItsArguments() throws Exception {
        Path script = command("echo a secret; exit 3");
        assertThatThrownBy(source(Map.of("profile", "default"))::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining(script.toString())
                .hasMessageContaining("exit code 3")
                .hasMessageNotContaining("first word")
                .hasMessageNotContaining("a secret");
        for (String answer : List.of("", "[]", "{\"AccessKeyId\": \"a\"}", "{\"AccessKeyId\": {}}", "{} {}")) {
            command("printf '%s' '" + answer + "'");
            assertThatThrownBy(source(Map.of("profile", "default"))::current)
                    .as(answer)
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining("gave no");
        }
    }
}
