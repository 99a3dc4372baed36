package s3csi.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CauseTest {
    /** One of each, whatever is added later. */
    static Stream<Cause> everyCause() {
        return records(Cause.class).map(CauseTest::sample);
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isInterface()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(CauseTest::records)
                : Stream.of(type);
    }

    @ParameterizedTest
    @MethodSource("everyCause")
    void saysWhatFailedWhyAndWhatToDo(Cause cause) {
        assertThat(cause.message())
                .contains(cause.what(), cause.why(), cause.remedy())
                .doesNotContain("..", "null", "\n")
                .endsWith(".");
    }

    @ParameterizedTest
    @MethodSource("everyCause")
    void hasASectionInTheTroubleshootingPage(Cause cause) throws IOException {
        Path page = Path.of("..", "docs", "troubleshooting.md");
        assertThat(Files.readAllLines(page)).contains("## " + CauseFaces.word(cause));
    }

    @Test
    void everyCauseHasAWordOfItsOwn() {
        assertThat(everyCause().map(CauseFaces::word)).doesNotHaveDuplicates();
    }

    @Test
    void anEventReasonIsTheWordAsKubernetesWritesIt() {
        assertThat(CauseFaces.eventReason(new Cause.NoSuchBucket("b"))).isEqualTo("NoSuchBucket");
    }

    @ParameterizedTest
    @EnumSource
    void whatAnEngineSaysIsAWordThatUsersCanLookUp(EngineTrouble trouble) throws IOException {
        Cause cause = new NodeCause.EngineFailed("b", trouble, "words", AuthenticationSource.DRIVER, "the log");
        hasASectionInTheTroubleshootingPage(cause);
        assertThat(EngineTrouble.ofWord(CauseFaces.word(cause))).isEqualTo(trouble);
    }

    private static Cause engineRefusedKeysOf(AuthenticationSource keys) {
        return new NodeCause.EngineFailed("b", EngineTrouble.WRONG_KEYS, "words", keys, "the log");
    }

    @Test
    void keysAreLookedForWhereTheyAre() {
        assertThat(new Cause.WrongKeys("make bucket b", "InvalidAccessKeyId", AuthenticationSource.SECRET).remedy())
                .contains("the Secret this volume uses");
        assertThat(new Cause.WrongKeys("make bucket b", "InvalidAccessKeyId", AuthenticationSource.DRIVER).remedy())
                .contains("the driver's credential Secret")
                .doesNotContain("this volume uses");
        assertThat(engineRefusedKeysOf(AuthenticationSource.SECRET).remedy()).contains("the Secret this volume uses");
        assertThat(engineRefusedKeysOf(AuthenticationSource.DRIVER).remedy())
                .contains("the driver's credential Secret")
                .doesNotContain("this volume uses");
        assertThat(new Cause.InvalidSecret(List.of("access_key_id"), AuthenticationSource.SECRET).what())
                .contains("the Secret of the request");
        assertThat(new Cause.InvalidSecret(List.of("access_key_id"), AuthenticationSource.DRIVER).message())
                .contains("the driver's own keys", "the driver's credential Secret");
    }

    private static Cause sample(Class<?> type) {
        try {
            Class<?>[] types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            Object[] values = Arrays.stream(types).map(CauseTest::value).toArray();
            return (Cause) type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static Object value(Class<?> type) {
        if (type == BucketName.class) {
            return new BucketName("some-bucket");
        }
        if (type == URI.class) {
            return URI.create("https://store.example");
        }
        if (type == EngineTrouble.class) {
            return EngineTrouble.ENGINE_FAILED;
        }
        if (type == AuthenticationSource.class) {
            return AuthenticationSource.DRIVER;
        }
        return type == List.class ? List.of("one", "two") : "something";
    }
}
