package s3csi.s3.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.testing.Nobody;
import s3csi.s3.testing.ScriptedServer;

class ProxyTest {
    private static ProxySettings.@Nullable Proxy proxyFor(String address, Map<String, String> environment) {
        return ProxySettings.fromEnvironment(environment).proxyFor(Origin.of(URI.create(address)));
    }

    @ParameterizedTest
    @CsvSource({
        "http://s3.example.com, '', true",
        "http://s3.example.com, 's3.example.com', false",
        "http://s3.example.com, 'other, .example.com', false",
        "http://s3.example.com, 'example.com', false",
        "http://s3.example.com, '*.example.com', false",
        "http://s3.example.com, 'ample.com', true",
        "http://s3.example.com:9000, 's3.example.com:9000', false",
        "http://s3.example.com, '*', false",
        "http://10.1.2.3:9000, '192.168.0.0/16, 10.0.0.0/8', false",
        "http://10.1.2.3:9000, '10.0.0.0/16', true",
        "http://10.1.2.3:9000, '10.1.2.3/32', false",
        "http://10.1.2.3:9000, '0.0.0.0/0', false",
        "http://10.1.2.3:9000, '10.0.0.0/x', true",
        "http://10.1.2.3:9000, '10.0.0.0/33', true",
        "http://[fd00:1::5]:9000, 'fd00:1::/32', false",
        "http://[fd00:1::5]:9000, '10.0.0.0/8', true",
        "http://s3.example.com, '0.0.0.0/0', true"
    })
    void exceptionsAreHonoured(String address, String exceptions, boolean proxied) {
        Map<String, String> environment = Map.of("http_proxy", "http://proxy:3128", "NO_PROXY", exceptions);

        assertThat(proxyFor(address, environment) != null).isEqualTo(proxied);
    }

    @Test
    void eachSchemeHasItsProxy() {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "secure-proxy:8080");

        assertThat(proxyFor("http://s3.example.com", environment)).isNull();
        assertThat(proxyFor("https://s3.example.com", environment)).hasToString("http://secure-proxy:8080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:hidden@proxy",
                "socks5://user:hidden@proxy:1",
                "http://user:hidden@a b",
                "http:///hidden"
            })
    void aProxyThatCannotBeUsedIsRefusedInWordsThatKeepItsPassword(String proxy) {
        assertThatThrownBy(() -> ProxySettings.fromEnvironment(Map.of("HTTPS_PROXY", proxy)))
                .hasMessageContaining("HTTPS_PROXY")
                .hasMessageContaining("only http:// proxies")
                .hasNoCause()
                .message()
                .doesNotContain("hidden");
    }

    @Test
    void aProxyThatIsAwayIsNamed() throws Exception {
        try (Nobody nobody = new Nobody()) {
            Origin origin = Origin.of(URI.create("http://bucket.invalid"));
            ProxySettings settings = ProxySettings.fromEnvironment(Map.of("HTTP_PROXY", nobody.authority()));
            try (HttpClient client = new HttpClient(origin, Trust.platform(), settings, Timeouts.DEFAULTS, 2)) {
                RequestHead request = new RequestHead("GET", "/key", "").header("host", "bucket.invalid");
                assertThatThrownBy(() -> client.send(request, List.of(), null).close())
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining("the proxy " + nobody.endpoint() + ": ");
            }
        }
    }

    @Test
    void plainRequestsGoToTheProxyWithTheirWholeAddress() throws Exception {
        try (ScriptedServer proxy = new ScriptedServer((_, reply) -> reply.answer(200, "", "hello"));
                HttpClient client = client("http://bucket.invalid/", proxy)) {
            RequestHead request = new RequestHead("GET", "/key", "a=b").header("host", "bucket.invalid");
            try (HttpExchange exchange = client.send(request, List.of(), null)) {
                assertThat(exchange.head().status()).isEqualTo(200);
            }

            assertThat(proxy.requests().getFirst().target()).isEqualTo("http://bucket.invalid/key?a=b");
            assertThat(proxy.requests().getFirst().header("proxy-authorization"))
                    .isEqualTo("Basic dXNlcjpwdw==");
        }
    }

    @Test
    void aTunnelThatTheProxyRefusesIsAFailureToConnect() {
        try (ScriptedServer proxy = new ScriptedServer((_, reply) -> reply.answer(403, "", ""));
                HttpClient client = client("https://bucket.invalid/", proxy)) {
            RequestHead request = new RequestHead("GET", "/key", "").header("host", "bucket.invalid");

            assertThatThrownBy(() -> client.send(request, List.of(), null).close())
                    .hasMessageContaining("refused the way to bucket.invalid:443");

            assertThat(proxy.requests().getFirst().method()).isEqualTo("CONNECT");
        }
    }

    /** Anybody on the way may have put them there, and they would be read as if they had been decrypted. */
    @Test
    void bytesBeforeTheHandshakeAreNotTakenForTheServersWords() {
        String stray = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        try (ScriptedServer proxy = new ScriptedServer((_, reply) -> reply.send("HTTP/1.1 200 OK\r\n\r\n" + stray));
                HttpClient client = client("https://bucket.invalid/", proxy)) {
            RequestHead request = new RequestHead("GET", "/key", "").header("host", "bucket.invalid");

            assertThatThrownBy(() -> client.send(request, List.of(), null).close())
                    .hasMessageContaining("bytes came before the TLS handshake");
        }
    }

    private static HttpClient client(String address, ScriptedServer proxy) {
        String proxyAddress = "http://user:pw@127.0.0.1:" + proxy.address().getPort();
        ProxySettings settings =
                ProxySettings.fromEnvironment(Map.of("HTTP_PROXY", proxyAddress, "HTTPS_PROXY", proxyAddress));
        return new HttpClient(Origin.of(URI.create(address)), Trust.platform(), settings, Timeouts.DEFAULTS, 2);
    }
}
