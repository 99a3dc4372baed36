package s3csi.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.time.Duration;

/**
 * The JDK's HTTP client for the Kubernetes client, with watches that notice when their server falls silent. The library has a setting for
 * pings, which it does not heed with this client; a watch that died with its connection, without a word, would be missed for 12 minutes.
 */
final class WatchfulHttp extends JdkHttpClientFactory {
    private final Duration ping;

    /** @param ping how often; a watch whose server says nothing for three times as long has ended */
    WatchfulHttp(Duration ping) {
        this.ping = ping;
    }

    @Override
    protected HttpClient.Builder createNewHttpClientBuilder() {
        HttpClient.Builder real = super.createNewHttpClientBuilder();
        return (HttpClient.Builder) Proxy.newProxyInstance(
                WatchfulHttp.class.getClassLoader(),
                new Class<?>[] {HttpClient.Builder.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(real, arguments) instanceof HttpClient client
                                ? new WatchfulHttpClient(client, ping)
                                : proxy;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
