package s3csi.s3.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.ScriptedServer;
import s3csi.s3.testing.process.Await;

/** Roles of profiles, at a token service that says what the test wants. */
class RoleInProfileTest {
    private static final Instant START = Instant.parse("2026-11-15T10:00:00Z");
    private static final String KEYS = "\naws_access_key_id = source\naws_secret_access_key = s\n";

    @TempDir
    Path home;

    private final TurnedClock clock = new TurnedClock(START);
    private volatile boolean isRefusing;
    private final ScriptedServer service = new ScriptedServer((request, reply) -> {
        if (isRefusing) {
            reply.error(403, "AccessDenied");
        } else {
            reply.answer(200, "", answer("id" + request.number()));
        }
    });

    @AfterEach
    void stop() {
        service.close();
    }

    private String answer(String id) {
        return "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>" + id
                + "</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>token of " + id
                + "</SessionToken><Expiration>" + clock.instant().plus(Duration.ofHours(1))
                + "</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>";
    }

    private CredentialsSource source(String profile, String config, Map<String, String> more) throws Exception {
        write(config);
        Map<String, String> environment = new HashMap<>(more);
        environment.putIfAbsent("AWS_ENDPOINT_URL_STS", service.address().toString());
        return source(profile, environment, null);
    }

    private CredentialsSource source(@Nullable String profile, Map<String, String> environment, @Nullable URI store) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("HOME", home.toString());
        return new CredentialsOptions(all, false, profile, store, all.get("AWS_REGION"), Trust.platform(), clock)
                .source();
    }

    private void write(String config) throws Exception {
        Files.createDirectories(home.resolve(".aws"));
        Files.writeString(home.resolve(".aws/config"), config);
    }

    private ScriptedServer.Request request(int number) {
        return service.requests().get(number - 1);
    }

    @Test
    void aRoleIsAssumedWithTheKeysOfItsSource() throws Exception {
        CredentialsSource source = source("work", """
                [profile base]
                aws_access_key_id = source
                aws_secret_access_key = secret
                [profile work]
                role_arn = arn:aws:iam::1:role/r
                source_profile = base
                external_id = a b
                role_session_name = me
                duration_seconds = 900
                region = eu-north-1
                """, Map.of("AWS_REGION", "us-west-2"));

        assertThat(source.current())
                .isEqualTo(new Credentials.Keys("id1", "s", "token of id1", START.plus(Duration.ofHours(1))));
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id1");
        assertThat(service.requests()).hasSize(1);
        assertThat(request(1).body())
                .isEqualTo("Action=AssumeRole&DurationSeconds=900&ExternalId=a%20b"
                        + "&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=me&Version=2011-06-15");
        assertThat(request(1).header("authorization"))
                .contains("Credential=source/20261115/eu-north-1/sts/aws4_request");
        assertThat(request(1).header("x-amz-security-token")).isEmpty();
    }

    @Test
    void aRoleMayBeTheSourceOfAnother() throws Exception {
        CredentialsSource source = source(
                "outer",
                "[profile outer]\nrole_arn = outer\nsource_profile = inner\n"
                        + "[profile inner]\nrole_arn = inner\nsource_profile = base\n[profile base]" + KEYS,
                Map.of("AWS_REGION", "us-west-2"));

        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
        assertThat(request(1).body()).contains("RoleArn=inner&RoleSessionName=s3csi");
        assertThat(request(2).body()).contains("RoleArn=outer");
        assertThat(request(2).header("authorization")).contains("Credential=id1/20261115/us-west-2/sts/");
        assertThat(request(2).header("x-amz-security-token")).isEqualTo("token of id1");
    }

    @Test
    void aProfileMayBeItsOwnSource() throws Exception {
        source("own", "[profile own]\nrole_arn = r\nsource_profile = own" + KEYS, Map.of())
                .current();
        assertThat(request(1).header("authorization")).contains("Credential=source/");
    }

    @Test
    void theKeysForARoleMayStandInTheEnvironment() throws Exception {
        CredentialsSource source = source(
                "work",
                "[profile work]\nrole_arn = r\ncredential_source = Environment\n",
                Map.of(
                        "AWS_ACCESS_KEY_ID", "env",
                        "AWS_SECRET_ACCESS_KEY", "s",
                        "AWS_SESSION_TOKEN", "t",
                        "AWS_ROLE_SESSION_NAME", "pod"));

        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id1");
        assertThat(request(1).header("authorization")).contains("Credential=env/");
        assertThat(request(1).header("x-amz-security-token")).isEqualTo("t");
        assertThat(request(1).body()).contains("RoleSessionName=pod");
    }

    @Test
    void aTokenInAFileMayStandForKeys() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "tok\n");
        source("work", "[profile work]\nrole_arn = r\nweb_identity_token_file = " + token + "\n", Map.of())
                .current();

        assertThat(request(1).body())
                .startsWith("Action=AssumeRoleWithWebIdentity&")
                .endsWith("&WebIdentityToken=tok");
        assertThat(request(1).header("authorization")).isEmpty();
    }

    @Test
    void theProfileOfTheEnvironmentMayAssumeARoleToo() throws Exception {
        CredentialsSource source = source(
                null,
                Map.of(
                        "AWS_PROFILE",
                        "own",
                        "AWS_ENDPOINT_URL_STS",
                        service.address().toString()),
                null);
        write("[profile own]\nrole_arn = r\nsource_profile = own" + KEYS);
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id1");
    }

    @Test
    void keysOfARoleAreRenewedAheadAndKeptUntilTheyEnd() throws Exception {
        CredentialsSource source = source("own", "[profile own]\nrole_arn = r\nsource_profile = own" + KEYS, Map.of());
        source.current();
        clock.turn(Duration.ofMinutes(56));
        Await.until(
                Duration.ofSeconds(20),
                () -> "the keys are not renewed",
                () -> idOf(source).equals("id2"));

        isRefusing = true;
        clock.turn(Duration.ofMinutes(59));
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
        clock.turn(Duration.ofMinutes(1));
        assertThatThrownBy(source::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("refuses role r to source: 403 \"AccessDenied\"")
                .hasMessageContaining("AWS_ENDPOINT_URL_STS");
    }

    private static String idOf(CredentialsSource source) {
        try {
            return source.current() instanceof Credentials.Keys keys ? keys.accessKeyId() : "";
        } catch (CredentialsException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aServiceInPassingTroubleIsAskedAgain() throws Exception {
        try (ScriptedServer troubled = new ScriptedServer((request, reply) -> {
            switch (request.number()) {
                case 1 -> reply.error(503, "SlowDown");
                case 2 -> reply.error(400, "Throttling");
                case 3 -> reply.reset();
                default -> reply.answer(200, "", answer("id" + request.number()));
            }
        })) {
            CredentialsSource source = source(
                    "own",
                    "[profile own]\nrole_arn = r\nsource_profile = own" + KEYS,
                    Map.of("AWS_ENDPOINT_URL_STS", troubled.address().toString()));

            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id4");
        }
    }

    @Test
    void aServiceThatStaysInTroubleIsNamedAfterAFewAttempts() throws Exception {
        try (ScriptedServer busy = new ScriptedServer((request, reply) -> reply.error(503, "SlowDown"))) {
            CredentialsSource source = source(
                    "own",
                    "[profile own]\nrole_arn = r\nsource_profile = own" + KEYS,
                    Map.of("AWS_ENDPOINT_URL_STS", busy.address().toString()));

            assertThatThrownBy(source::current)
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining("the token service " + busy.address() + " cannot be asked for keys")
                    .hasMessageContaining("503 \"SlowDown\"");
            assertThat(busy.requests()).hasSize(4);
        }
    }

    @Test
    void onlyAFileThatSaysSomethingElseIsAReasonToAskAgain() throws Exception {
        String config = "[profile own]\nrole_arn = r\nsource_profile = own" + KEYS;
        CredentialsSource source = source("own", config, Map.of());
        source.current();

        write("# rewritten\n" + config);
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id1");

        write(config.replace("role_arn = r", "role_arn = other"));
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
        assertThat(request(2).body()).contains("RoleArn=other");

        isRefusing = true;
        write(config.replace("role_arn = r", "role_arn = refused"));
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
        write(config.replace("[profile own]", "[profile renamed]"));
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
    }

    @Test
    void rejectedKeysOfARoleAreAskedForAgain() throws Exception {
        CredentialsSource source = source("own", "[profile own]\nrole_arn = r\nsource_profile = own" + KEYS, Map.of());
        source.rejected(source.current());
        assertThat(source.current()).extracting("accessKeyId").isEqualTo("id2");
    }

    @Test
    void whenTheKeysOfTheSourceWereWithdrawnTheyAreRenewedFirst() throws Exception {
        try (ScriptedServer forgetful = new ScriptedServer((request, reply) -> {
            // What it gave first it does not know any more when it is used.
            if (request.header("authorization").contains("Credential=id1/")) {
                reply.error(403, "InvalidClientTokenId");
            } else {
                reply.answer(200, "", answer("id" + request.number()));
            }
        })) {
            CredentialsSource source = source(
                    "outer",
                    "[profile outer]\nrole_arn = outer\nsource_profile = inner\n"
                            + "[profile inner]\nrole_arn = inner\nsource_profile = inner" + KEYS,
                    Map.of("AWS_ENDPOINT_URL_STS", forgetful.address().toString()));

            assertThat(source.current()).extracting("accessKeyId").isEqualTo("id4");
            assertThat(forgetful.requests())
                    .extracting(request -> request.body().replaceAll(".*RoleArn=(\\w+).*", "$1"))
                    .isEqualTo(List.of("inner", "outer", "inner", "outer"));
        }
    }

    @Test
    void theStoreItselfIsAskedIfNothingElseIsSaid() throws Exception {
        write("[profile own]\nrole_arn = r\nsource_profile = own" + KEYS);
        assertThat(source("own", Map.of(), service.address()).current())
                .extracting("accessKeyId")
                .isEqualTo("id1");
        assertThatThrownBy(source("own", Map.of(), URI.create("http://192.0.2.1:9000"))::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("plain text")
                .hasMessageContaining("AWS_ENDPOINT_URL_STS");
        assertThatThrownBy(source("own", Map.of("AWS_ENDPOINT_URL_STS", "nonsense"), service.address())::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("AWS_ENDPOINT_URL_STS names no token service");
    }

    @Test
    void aServerThatIsNoTokenServiceIsNamed() throws Exception {
        try (ScriptedServer other = new ScriptedServer((request, reply) -> reply.answer(405, "", "<html><p>no"))) {
            assertThatThrownBy(source(
                            "own",
                            "[profile own]\nrole_arn = r\nsource_profile = own" + KEYS,
                            Map.of("AWS_ENDPOINT_URL_STS", other.address().toString()))::current)
                    .isInstanceOf(CredentialsException.class)
                    .hasMessageContaining(other.address() + " refuses role r")
                    .hasMessageContaining("405");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            source_profile = b                                      > no profile b
            source_profile = loop                                   > the profiles p, loop name each other
            source_profile = p                                      > has no aws_access_key_id
            credential_source = EcsContainer                        > takes the keys for its role from EcsContainer
            credential_source = Ec2InstanceMetadata                 > takes the keys for its role from Ec2InstanceMetadata
            credential_source = elsewhere                           > must be Environment
            credential_source = Environment                         > AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not
            external_id = x                                         > exactly one of source_profile
            source_profile = k|credential_source = Environment      > exactly one of source_profile
            source_profile = k|mfa_serial = 1                       > (mfa_serial)
            source_profile = k|duration_seconds = one               > no number of seconds
            source_profile = sso                                    > signs on in a browser
            web_identity_token_file = /nowhere/token                > /nowhere/token
            """)
    void whatCannotBeIsRefusedInWords(String settings, String words) throws Exception {
        assertThatThrownBy(source(
                        "p",
                        "[profile p]\nrole_arn = r\n" + settings.replace('|', '\n') + "\n[profile k]" + KEYS
                                + "[profile loop]\nrole_arn = r\nsource_profile = p\n"
                                + "[profile sso]\nsso_session = s\n",
                        Map.of())::current)
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining(words);
        assertThat(service.requests()).isEmpty();
    }
}
