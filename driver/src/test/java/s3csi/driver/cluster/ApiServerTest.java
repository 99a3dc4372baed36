package s3csi.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.volume.json.JsonObject;

class ApiServerTest {
    private static final String THINGS = "/api/v1/things";
    private static final JsonObject BODY = JsonObject.parse("{\"metadata\":{\"name\":\"a\"},\"text\":\"ä\\n\"}");

    private final FakeApiServer server;
    private final ApiServer client;

    ApiServerTest(@TempDir Path scratch) throws IOException {
        server = new FakeApiServer(scratch);
        client = server.client();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ApiFailure failureOf(ThrowingCallable call) {
        return assertThatExceptionOfType(ApiFailure.class).isThrownBy(call).actual();
    }

    @Test
    void objectsGoThereAndBackUnchanged() throws ApiFailure {
        assertThat(client.post(THINGS, BODY)).isEqualTo(BODY);
        server.put(THINGS, BODY.toString());
        JsonObject stored = client.get(THINGS + "/a");
        assertThat(stored.text("text")).isEqualTo("ä\n");
        client.put(THINGS + "/a", stored);
        assertThat(failureOf(() -> client.put(THINGS + "/a", stored)).code()).isEqualTo(409);
        assertThat(failureOf(() -> client.get(THINGS + "/b")).code()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 409, 429, 500})
    void aRefusalIsToldWithTheServersWordsInOneLine(int code) {
        server.interception = (_, exchange) -> FakeApiServer.refuse(
                exchange, code, "nodes \"a\" is forbidden:\n\tno\u001b[31m rights" + "!".repeat(5000));
        for (ApiFailure failure : new ApiFailure[] {
            failureOf(() -> client.get(THINGS)),
            failureOf(() -> client.post(THINGS, BODY)),
            failureOf(() -> client.put(THINGS + "/a", BODY))
        }) {
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure)
                    .hasMessageStartingWith("the API server at " + client.address() + " answered " + code)
                    .hasMessageNotContainingAny("\n", "\t", "\u001b");
            assertThat(failure.getMessage()).hasSizeLessThan(700);
        }
        assertThat(failureOf(() -> client.get(THINGS)))
                .hasMessageContaining(": nodes \"a\" is forbidden: no [31m rights!!!");
    }

    @Test
    void wordsThatAreNoStatusAreToldAsTheyAre() {
        server.interception = (_, exchange) -> FakeApiServer.reply(exchange, 502, "<html>Bad\nGateway</html>");
        assertThat(failureOf(() -> client.get(THINGS))).hasMessageEndingWith("answered 502: <html>Bad Gateway</html>");
        server.interception = (_, exchange) -> FakeApiServer.reply(exchange, 503, "");
        assertThat(failureOf(() -> client.get(THINGS)).code()).isEqualTo(503);
    }

    /** Wherever it leads, the token is not for there. */
    @Test
    void aRedirectionIsNotFollowed() {
        server.interception = (_, exchange) -> {
            exchange.getResponseHeaders().set("Location", client.address() + "/elsewhere");
            return FakeApiServer.reply(exchange, 302, "");
        };
        assertThat(failureOf(() -> client.get(THINGS)).code()).isEqualTo(302);
        assertThat(server.requests).hasSize(1);
    }

    @Test
    void anAnswerThatIsNoJsonIsAFailure() {
        server.interception = (_, exchange) -> FakeApiServer.reply(exchange, 200, "<html>sign in</html>");
        assertThat(failureOf(() -> client.get(THINGS))).hasMessageContaining("something else than JSON");
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        server.close();
        assertThat(failureOf(() -> client.get(THINGS)))
                .hasMessageContaining(client.address().toString())
                .hasMessageContaining("cannot be reached");
    }

    @Test
    void aTokenThatIsMissingIsNamed() throws IOException {
        Files.delete(server.account().resolve("token"));
        assertThat(failureOf(() -> client.get(THINGS))).hasMessageContaining("token");
        assertThat(server.requests).isEmpty();
    }

    @Test
    void theServerOfAPodIsInItsEnvironment() {
        assertThat(ApiServer.addressIn(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "443")))
                .contains(URI.create("https://10.0.0.1:443"));
        assertThat(ApiServer.addressIn(Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "6443")))
                .contains(URI.create("https://[fd00::1]:6443"));
        assertThat(ApiServer.addressIn(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")))
                .isEmpty();
        assertThat(ApiServer.addressIn(Map.of())).isEmpty();
    }

    @Test
    void theNamespaceOfAPodIsNextToItsToken() throws IOException {
        ServiceAccount account = new ServiceAccount(server.account());
        assertThat(account.namespace()).isEmpty();
        Files.writeString(server.account().resolve("namespace"), "kube-system\n");
        assertThat(account.namespace()).contains("kube-system");
    }
}
