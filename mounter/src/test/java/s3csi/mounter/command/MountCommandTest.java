package s3csi.mounter.command;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static s3csi.mounter.command.CommandLines.config;
import static s3csi.mounter.command.CommandLines.line;
import static s3csi.mounter.command.CommandLines.startFailure;
import static s3csi.mounter.command.CommandLines.usageError;
import static s3csi.mounter.command.CommandLines.usageErrorOf;
import static s3csi.mounter.command.CommandLines.with;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.cache.CacheSettings;
import s3csi.filesystem.inode.TimeToLive;
import s3csi.fuse.AccessRule;
import s3csi.linux.Processes;
import s3csi.mounter.config.BucketSource;
import s3csi.mounter.config.CredentialChoice;
import s3csi.mounter.config.LogConfig.Destination;
import s3csi.mounter.config.MountConfig;
import s3csi.mounter.config.MountPoint;
import s3csi.mounter.config.StartFailure;
import s3csi.s3.UploadChecksum;
import s3csi.s3.client.Encryption;

final class MountCommandTest {
    private static final String KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";

    @TempDir
    private Path scratch;

    @Test
    void defaultsAreThoseOfMountS3() throws Exception {
        MountConfig config = with();

        assertThat(config.source()).isEqualTo(new BucketSource("bucket", ""));
        assertThat(config.mountPoint()).isEqualTo(new MountPoint.Directory(Path.of("/mnt")));
        assertThat(config.store().endpoint()).isNull();
        assertThat(config.store().region()).isNull();
        assertThat(config.store().credentials()).isEqualTo(new CredentialChoice.DefaultChain());
        assertThat(config.upload().checksum()).isEqualTo(UploadChecksum.CRC32C);
        assertThat(config.upload().encryption()).isNull();
        assertThat(config.access()).isEqualTo(new AccessRule.Owner(Processes.effectiveUserId()));
        assertThat(config.files().appearance().directoryMode()).isEqualTo(0755);
        assertThat(config.files().appearance().fileMode()).isEqualTo(0644);
        assertThat(config.files().appearance().uid()).isEqualTo(Processes.userId());
        assertThat(config.client().throughputGbps()).isEqualTo(10);
        assertThat(config.client().connections()).isEqualTo(25);
        assertThat(config.client().maxThreads()).isEqualTo(16);
        assertThat(config.client().memoryTarget()).isEmpty();
        assertThat(config.files().reads().partSize()).isEqualTo(8388608);
        assertThat(config.files().uploads().partSize()).isEqualTo(8388608);
        assertThat(config.log().destination()).isEqualTo(new Destination.Syslog());
        assertThat(config.files().caching().metadata()).isEqualTo(new TimeToLive.Minimal());
        assertThat(config.files().caching().negative()).isEqualTo(new TimeToLive.Minimal());
        assertThat(config.process().foreground()).isFalse();
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void optionsMayStandAnywhereAndInBothForms() throws Exception {
        MountConfig config = config(
                List.of("--region", "north", "bucket", "-fd", "--prefix=a/", "/mnt", "-l/logs", "--allow-other"),
                Map.of());

        assertThat(config.source()).isEqualTo(new BucketSource("bucket", "a/"));
        assertThat(config.store().region()).isEqualTo("north");
        assertThat(config.process().foreground()).isTrue();
        assertThat(config.log().debugEngine()).isTrue();
        assertThat(config.log().metrics()).isTrue();
        assertThat(config.log().destination()).isEqualTo(new Destination.Directory(Path.of("/logs")));
        assertThat(config.access()).isEqualTo(new AccessRule.All());
    }

    @Test
    void whatFollowsTwoDashesIsNoOption() throws Exception {
        assertThat(config(List.of("--read-only", "--", "bucket", "--debug"), Map.of())
                        .mountPoint())
                .isEqualTo(new MountPoint.Directory(Path.of("--debug")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-V", "--version"})
    void theVersionIsPrintedInTheFormThatScriptsParse(String option) throws Exception {
        assertThat(MountCommand.parse(List.of(option), Map.of(), "1.2.3"))
                .isEqualTo(new MountCommand.Print("mount-s3 1.2.3\n"));
    }

    @Test
    void helpNamesEveryOptionInBothLengths() throws Exception {
        String brief = ((MountCommand.Print) MountCommand.parse(List.of("-h"), Map.of(), "1")).text();
        String full = ((MountCommand.Print)
                        MountCommand.parse(List.of("bucket", "--help", "--nonsense"), Map.of(), "1"))
                .text();

        for (String name : Option.longNames()) {
            assertThat(brief).contains("--" + name);
            assertThat(full).contains("--" + name);
        }
        assertThat(full).contains("Default: 8388608").hasSizeGreaterThan(brief.length());
        assertThat(brief).doesNotContain("Default: 8388608");
    }

    @Test
    void missingArgumentsAreNamed() {
        assertThat(usageErrorOf(List.of())).contains("required", "<BUCKET_NAME>", "<DIRECTORY>", "Usage: mount-s3");
        assertThat(usageErrorOf(List.of("bucket"))).contains("<DIRECTORY>").doesNotContain("\n  <BUCKET_NAME>");
        assertThat(usageErrorOf(List.of("bucket", "/mnt", "/more"))).contains("unexpected argument '/more'");
    }

    @Test
    void anUnknownOptionIsAnsweredWithTheOneThatWasMeant() {
        assertThat(usageError("--alow-other")).contains("unexpected argument '--alow-other' found", "'--allow-other'");
        assertThat(usageError("--log")).contains("tip", "--log-metrics");
        assertThat(usageError("--xyzzy-plugh")).contains("--xyzzy-plugh").doesNotContain("tip");
        assertThat(usageError("-x")).contains("unexpected argument '-x' found");
    }

    @Test
    void aFlagTakesNoValueAndAValueMustBeThere() {
        assertThat(usageError("--read-only=true")).contains("unexpected value 'true' for '--read-only'");
        assertThat(usageError("--region")).contains("a value is required for '--region <REGION>'");
        assertThat(usageError("--region", "--debug")).contains("a value is required for '--region <REGION>'");
    }

    @Test
    void anOptionMayBeGivenOnce() {
        assertThat(usageError("--region", "a", "--region=b"))
                .contains("'--region <REGION>' cannot be used multiple times");
        assertThat(usageError("-d", "--debug")).contains("cannot be used multiple times");
    }

    @ParameterizedTest
    @CsvSource({
        "--allow-root, --allow-other",
        "--part-size=8388608, --read-part-size=8388608",
        "--part-size=8388608, --write-part-size=8388608",
        "--log-directory=/l, --no-log",
        "--log-metrics, --no-log",
        "--debug, --no-log",
        "--debug-crt, --no-log"
    })
    void conflictsAreRefusedInAnyOrder(String one, String other) {
        assertThat(usageError(one, other)).contains("cannot be used with");
        assertThat(usageError(other, one)).contains("cannot be used with");
    }

    @ParameterizedTest
    @CsvSource({
        "--sse-kms-key-id=arn:aws:kms:key, --sse <SSE>",
        "--max-cache-size=1, --cache <DIRECTORY>",
        "--otlp-export-interval=1, --otlp-endpoint <URL>"
    })
    void whatAnOptionNeedsIsNamed(String option, String needed) {
        assertThat(usageError(option)).contains("required", needed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--incremental-upload", "--cache-xz=bucket", "--bucket-type=directory"})
    void whatIsNotOfferedIsRefusedWithAReason(String option) {
        assertThat(usageError(option)).contains("is not supported: ").contains(option.replaceAll("=.*", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "--dir-mode=7755, only user/group/other permissions",
        "--file-mode=7644, only user/group/other permissions",
        "--dir-mode=800, must be a valid octal number",
        "--file-mode=900, must be a valid octal number",
        "--metadata-ttl=4730400000, exceeds the maximum",
        "--metadata-ttl=20000000000000000000, exceeds the maximum",
        "--metadata-ttl=infinite, 'indefinite'",
        "--negative-metadata-ttl=-1, 'minimal'",
        "--sse=, possible values",
        "--sse=AES512, possible values",
        "--upload-checksums=md5, possible values",
        "--bucket-type=square, possible values",
        "--attribute-changes=keep, possible values",
        "--uid=4294967296, is not in",
        "--uid=4294967295, is not in 0..4294967294",
        "--gid=4294967295, is not in 0..4294967294",
        "--gid=x, whole number",
        "--max-threads=0, is not in",
        "--maximum-throughput-gbps=0, is not in",
        "--memory-target=127, is not in",
        "--store-patience=-1, is not in",
        "--store-patience=soon, a whole number",
        "--store-patience=86401, is not in",
        "--read-part-size=0, is not in",
        "--write-part-size=99999999999999999999, too large",
        "--metrics-port=65536, is not in",
        "--prefix=a, must end in '/'",
        "--prefix=a/b, must end in '/'",
        "--prefix=' ', must end in '/'",
        "--region=, a value is required",
        "--user-agent-prefix=é, printable ASCII",
        "--cache=, a value is required"
    })
    void aBadValueIsAnsweredWithWhatWouldBeGood(String option, String expected) {
        assertThat(usageError(option)).contains(expected);
    }

    @Test
    void modesAndOwnersAreTaken() throws Exception {
        MountConfig config = with("--uid", "0", "--gid=4294967294", "--dir-mode=0700", "--file-mode", "600");

        assertThat(config.files().appearance().uid()).isZero();
        assertThat(config.files().appearance().gid()).isEqualTo(-2);
        assertThat(config.files().appearance().directoryMode()).isEqualTo(0700);
        assertThat(config.files().appearance().fileMode()).isEqualTo(0600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/", "a/b/", " /", "/", "//", "/a/"})
    void aPrefixIsEmptyOrEndsInASlash(String prefix) throws Exception {
        assertThat(with("--prefix=" + prefix).source().prefix()).isEqualTo(prefix);
    }

    @Test
    void aPrefixDoesNotGoWithAUri() {
        for (String uri : List.of("s3://bucket", "s3://bucket/", "s3://bucket/a/")) {
            assertThat(catchException(() -> config(List.of(uri, "/mnt", "--prefix=b/"), Map.of())))
                    .hasMessageContaining("explicit prefix option not allowed with S3 URI");
        }
    }

    @Test
    void bucketAndDirectorySwappedIsRecognised() {
        assertThat(usageErrorOf(List.of("/mnt/data", "bucket")))
                .contains("valid bucket name", "the bucket comes first");
    }

    @Test
    void aDescriptorIsRecognisedByItsExactForm() throws Exception {
        assertThat(config(List.of("bucket", "/dev/fd/17"), Map.of()).mountPoint())
                .isEqualTo(new MountPoint.FuseDescriptor(17));
        assertThat(config(List.of("bucket", "/dev/fd/17x"), Map.of()).mountPoint())
                .isEqualTo(new MountPoint.Directory(Path.of("/dev/fd/17x")));
    }

    @ParameterizedTest
    @CsvSource({"--read-only, mount system call", "--auto-unmount, has to unmount it"})
    void aDescriptorDoesNotGoWithWhatBelongsToTheMountCall(String option, String advice) {
        assertThat(catchThrowableOfType(
                                StartFailure.class, () -> config(List.of("bucket", "/dev/fd/17", option), Map.of()))
                        .report())
                .startsWith("Error: Failed to create mount point\n\nCaused by:\n    0: " + option)
                .contains(advice);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1234abcd", "alias/mine", "arn:aws:kms:us-east-1:123456789012:alias/mine"})
    void aKeyIsAFullArnOfAKey(String key) {
        assertThat(usageError("--sse=aws:kms", "--sse-kms-key-id=" + key)).contains("full ARN of a key");
    }

    @Test
    void encryptionIsTakenWithItsKey() throws Exception {
        assertThat(with("--sse=aws:kms:dsse", "--sse-kms-key-id", KEY).upload().encryption())
                .isEqualTo(new Encryption("aws:kms:dsse", KEY));
        assertThat(with("--sse", "aws:kms", "--sse-kms-key-id=" + KEY.replace("key/", "key/mrk-"))
                        .upload()
                        .encryption())
                .isNotNull();
        assertThat(with("--sse=AES256").upload().encryption()).isEqualTo(new Encryption("AES256", null));
        assertThat(startFailure("--sse=AES256", "--sse-kms-key-id", KEY)).contains("AES256");
    }

    @Test
    void checksumsAreChosenByName() throws Exception {
        assertThat(with("--upload-checksums", "off").upload().checksum()).isEqualTo(UploadChecksum.OFF);
        assertThat(with("--upload-checksums=crc64nvme").upload().checksum()).isEqualTo(UploadChecksum.CRC64NVME);
    }

    @Test
    void aStoreThatIsAwayIsWaitedForAMinuteUnlessToldOtherwise() throws Exception {
        assertThat(with().client().storePatience()).isEqualTo(Duration.ofMinutes(1));
        assertThat(with("--store-patience=300").client().storePatience()).isEqualTo(Duration.ofMinutes(5));
        assertThat(with("--store-patience", "0").client().storePatience()).isZero();
    }

    @Test
    void timesToLiveFollowTheCache() throws Exception {
        TimeToLive minute = new TimeToLive.For(Duration.ofMinutes(1));
        assertThat(with("--cache=/c").files().caching().metadata()).isEqualTo(minute);
        assertThat(with("--cache=/c", "--max-cache-size=0").files().caching().negative())
                .isEqualTo(minute);
        assertThat(with("--metadata-ttl=indefinite").files().caching().negative())
                .isEqualTo(new TimeToLive.Indefinite());
        assertThat(with("--metadata-ttl=5", "--negative-metadata-ttl=minimal")
                        .files()
                        .caching()
                        .negative())
                .isEqualTo(new TimeToLive.Minimal());
        assertThat(with("--metadata-ttl=3153600000").files().caching().metadata())
                .isEqualTo(new TimeToLive.For(Duration.ofDays(36500)));
    }

    @Test
    void aCacheWithoutASizeLeavesMoreFreeOnANodeWhoseDiskIsKubelets() throws Exception {
        assertThat(cache(with("--cache=/c")).keptFreePercent()).isEqualTo(5);
        assertThat(cache(ofNode("--cache=/c")).keptFreePercent()).isEqualTo(15);
    }

    private static CacheSettings cache(MountConfig config) {
        return requireNonNull(config.files().cache());
    }

    @Test
    void aCacheOfNoSizeIsNone() throws Exception {
        assertThat(with("--cache=/c", "--max-cache-size=0").files().cache()).isNull();
        assertThat(with().files().cache()).isNull();
        assertThat(cache(with("--cache=/c", "--max-cache-size=2")))
                .isEqualTo(CacheSettings.in(Path.of("/c"), "bucket").withLimit(2L << 20));
    }

    private static MountConfig ofNode(MountCommand.CacheChoice caches, String... options) throws Exception {
        return MountCommand.ofNode("bucket", List.of(options), Map.of(), new MountPoint.FuseDescriptor(7), caches);
    }

    private static MountConfig ofNode(String... options) throws Exception {
        return ofNode(asked -> asked, options);
    }

    @Test
    void aNodesMountHasItsCacheWhereTheEngineChoosesIt() throws Exception {
        MountConfig config = ofNode(_ -> Optional.of(Path.of("/own")), "--cache=/of/the/node");
        assertThat(cache(config).directory()).isEqualTo(Path.of("/own"));
        assertThat(config.mountPoint()).isEqualTo(new MountPoint.FuseDescriptor(7));
        // One that nobody asked for has the same rights.
        MountConfig unasked = ofNode(_ -> Optional.of(Path.of("/own")), "--max-cache-size=1");
        assertThat(cache(unasked).directory()).isEqualTo(Path.of("/own"));
        assertThat(unasked.files().caching()).isEqualTo(config.files().caching());
        assertThatExceptionOfType(UsageError.class)
                .isThrownBy(() -> ofNode("--max-cache-size=1"))
                .withMessageContaining("--cache");
    }

    @Test
    void aMissingDirectoryIsNotTakenFromTheNextOption() {
        for (String[] options :
                List.of(new String[] {"--cache", "--dir-mode=770"}, new String[] {"--uid=1", "--cache"})) {
            assertThatExceptionOfType(UsageError.class)
                    .isThrownBy(() -> ofNode(options))
                    .withMessageContaining("--cache");
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "0, 0", "many, -1", "'', -1", "9999999, -1"})
    void onlyANumberOfAttemptsLimitsThem(String text, int expected) throws Exception {
        assertThat(config(line(), Map.of("AWS_MAX_ATTEMPTS", text)).store().attempts())
                .isEqualTo(expected < 0 ? OptionalInt.empty() : OptionalInt.of(expected));
    }

    @Test
    void severalInterfacesCanBeNamed() throws Exception {
        assertThat(with().client().interfaces()).isEmpty();
        assertThat(with("--bind", "eth0", "--bind=eth1").client().interfaces()).containsExactly("eth0", "eth1");
    }

    @Test
    void zeroSecondsMeanMinimalAndAWarning() throws Exception {
        MountConfig config = with("--cache=/c", "--metadata-ttl", "0");
        assertThat(config.files().caching().metadata()).isEqualTo(new TimeToLive.Minimal());
        assertThat(config.warnings()).singleElement().asString().contains("--metadata-ttl 0", "minimal");
    }

    @Test
    void onePartSizeStandsForBoth() throws Exception {
        MountConfig config = with("--part-size=16777216", "--memory-target=200");
        assertThat(config.files().reads().partSize()).isEqualTo(16777216);
        assertThat(config.files().uploads().partSize()).isEqualTo(16777216);
        assertThat(config.client().memoryTarget()).hasValue(200L << 20);
    }

    @Test
    void partSizesAreThoseOfS3() {
        assertThat(startFailure("--read-part-size=5242879")).contains("--read-part-size", "5 MiB");
        assertThat(startFailure("--write-part-size=5368709121")).contains("--write-part-size", "5 GiB");
        assertThat(startFailure("--part-size=1")).contains("--part-size");
    }

    @Test
    void theEnvironmentStandsInForOptions() throws Exception {
        Map<String, String> environment = Map.of(
                "AWS_REGION", "south",
                "AWS_ENDPOINT_URL", "http://store:9000",
                "AWS_CA_BUNDLE", "/ca.pem",
                "MOUNTPOINT_LOG", "debug",
                "UNSTABLE_MOUNTPOINT_PID_FILE", "/run/pid",
                "UNSTABLE_MOUNTPOINT_CACHE_KEY", "key");

        MountConfig config = config(CommandLines.line("--cache=/c"), environment);
        assertThat(config.store().region()).isEqualTo("south");
        assertThat(config.store().endpoint()).isEqualTo(URI.create("http://store:9000"));
        assertThat(config.store().caBundle()).isEqualTo(Path.of("/ca.pem"));
        assertThat(config.log().filter()).isEqualTo("debug");
        assertThat(config.process().pidFile()).isEqualTo(Path.of("/run/pid"));
        assertThat(cache(config).partition()).isEqualTo("key");

        Path bundle = Files.createFile(scratch.resolve("mine.pem"));
        MountConfig explicit = config(
                CommandLines.line("--region=north", "--endpoint-url=https://other", "--ca-bundle=" + bundle),
                environment);
        assertThat(explicit.store().region()).isEqualTo("north");
        assertThat(explicit.store().endpoint()).isEqualTo(URI.create("https://other"));
        assertThat(explicit.store().caBundle()).isEqualTo(bundle);
    }

    @Test
    void aBundleOfAuthoritiesThatWasAskedForMustBeThereWhateverTheScheme() {
        assertThat(startFailure("--endpoint-url=http://store", "--region=x", "--ca-bundle=/no/such.pem"))
                .startsWith("Error: --ca-bundle /no/such.pem cannot be used: there is no such file or directory;");
    }

    @Test
    void anEndpointHoldsNothingButAddressAndPath() throws Exception {
        assertThat(startFailure("--endpoint-url=http://someone:canary@store"))
                .contains("must not hold a user or password")
                .doesNotContain("canary");
        assertThat(startFailure("--endpoint-url=http://store?x=y")).contains("a host, a port and a path only");
        assertThat(startFailure("--endpoint-url=http://store#x")).contains("a host, a port and a path only");
        assertThat(with("--endpoint-url=http://store/bucket", "--region=x").warnings())
                .singleElement()
                .asString()
                .startsWith("the endpoint http://store/bucket has a path, which comes before the bucket");
        assertThat(with("--endpoint-url=http://store/", "--region=x").warnings())
                .isEmpty();
    }

    @Test
    void secretsOfTheEnvironmentAreNeverShown() throws Exception {
        assertThat(config(CommandLines.line(), Map.of("AWS_SECRET_ACCESS_KEY", "hush"))
                        .toString())
                .doesNotContain("hush");
    }

    @Test
    void anEndpointIsAnHttpAddress() throws Exception {
        for (String bad : List.of("", "store:9000", "ftp://store", "http://", "http://a b")) {
            assertThat(startFailure("--endpoint-url=" + bad)).contains("Failed to parse endpoint URL");
        }
        assertThat(with("--endpoint-url=http://store").warnings())
                .singleElement()
                .asString()
                .contains("us-east-1");
        assertThat(with("--endpoint-url=http://store", "--region=x").warnings()).isEmpty();
    }

    @Test
    void endpointsOfAwsDoNotGoWithOthers() {
        assertThat(startFailure("--dual-stack", "--endpoint-url=http://store")).contains("endpoint URL");
        assertThat(startFailure("--transfer-acceleration", "--endpoint-url=http://store"))
                .contains("endpoint URL");
        assertThat(startFailure("--transfer-acceleration", "--force-path-style"))
                .contains("path-style");
    }

    @Test
    void anonymousWinsOverAProfile() throws Exception {
        assertThat(with("--profile=p").store().credentials()).isEqualTo(new CredentialChoice.Profile("p"));
        assertThat(with("--profile=p", "--no-sign-request").store().credentials())
                .isEqualTo(new CredentialChoice.Anonymous());
    }

    @Test
    void changesOfAttributesAreRefusedUnlessTheyAreToBeIgnored() throws Exception {
        assertThat(with().files().permissions().ignoreAttributeChanges()).isFalse();
        assertThat(with("--attribute-changes=refuse").files().permissions().ignoreAttributeChanges())
                .isFalse();
        assertThat(with("--attribute-changes", "ignore").files().permissions().ignoreAttributeChanges())
                .isTrue();
    }

    @Test
    void flagsReachTheirSettings() throws Exception {
        MountConfig config = with(
                "--force-path-style",
                "--requester-pays",
                "--expected-bucket-owner=123",
                "--storage-class=COLD",
                "--infer-content-type",
                "--read-only",
                "--allow-delete",
                "--allow-overwrite",
                "--allow-append",
                "--allow-root",
                "--no-log",
                "--metrics-port=9100",
                "--user-agent-prefix=me/1",
                "--bucket-type=general-purpose");

        assertThat(config.store().pathStyle()).isTrue();
        assertThat(config.store().requesterPays()).isTrue();
        assertThat(config.store().expectedBucketOwner()).isEqualTo("123");
        assertThat(config.store().userAgentPrefix()).isEqualTo("me/1");
        assertThat(config.upload().storageClass()).isEqualTo("COLD");
        assertThat(config.files().uploads().inferContentType()).isTrue();
        assertThat(config.files().permissions().readOnly()).isTrue();
        assertThat(config.files().permissions().delete()).isTrue();
        assertThat(config.files().permissions().overwrite()).isTrue();
        assertThat(config.files().permissions().append()).isTrue();
        assertThat(config.access()).isEqualTo(new AccessRule.OwnerAndRoot(Processes.effectiveUserId()));
        assertThat(config.log().destination()).isEqualTo(new Destination.Nowhere());
        assertThat(config.metrics().port()).hasValue(9100);
    }
}
