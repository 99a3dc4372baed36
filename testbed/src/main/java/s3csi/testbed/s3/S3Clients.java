package s3csi.testbed.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.S3Store;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Clients with which a test looks at a server from outside, past everything that is tested. They do not retry. */
public final class S3Clients {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration READ = Duration.ofSeconds(30);

    private S3Clients() {}

    public static S3Client root(S3Store server) {
        return of(server, server.root());
    }

    public static S3Client of(S3Store server, Credentials.Keys keys) {
        return at(server.endpoint(), server, keys);
    }

    /** A client of the server that reaches it at another address, such as a proxy's. */
    public static S3Client at(URI endpoint, S3Store server, Credentials.Keys keys) {
        SSLContext trust = server.trust();
        return S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.of(server.region()))
                .forcePathStyle(true)
                // In chunks a body ends with a signature or checksum, sent byte by byte, and S3Proxy hangs up before
                // its end.
                .serviceConfiguration(configuration -> configuration.chunkedEncodingEnabled(false))
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(keys.accessKeyId(), keys.secretAccessKey())))
                .overrideConfiguration(configuration -> configuration.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .httpClient(UrlConnectionHttpClient.create(uri -> connect(uri, trust)))
                .build();
    }

    private static HttpURLConnection connect(URI uri, SSLContext trust) {
        try {
            var connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(Math.toIntExact(CONNECT.toMillis()));
            connection.setReadTimeout(Math.toIntExact(READ.toMillis()));
            if (connection instanceof HttpsURLConnection secure) {
                secure.setSSLSocketFactory(trust.getSocketFactory());
            }
            return connection;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot prepare a connection to " + uri, failure);
        }
    }
}
