package s3csi.testbed.demo;

import java.net.URI;
import java.util.Map;
import javax.net.ssl.SSLContext;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3ProxyServer;
import s3csi.s3.testing.server.S3Server;
import s3csi.s3.testing.server.S3Store;

/**
 * The store that the demo runs on: a server that it starts itself, or one of the user's.
 *
 * @param title what the user is told that it is
 * @param end stops what the demo started
 */
record DemoStore(String title, S3Store store, Runnable end) implements AutoCloseable {
    static DemoStore named(String name, Map<String, String> environment) {
        return switch (name) {
            case "s3proxy" -> started("S3Proxy, an S3 server in Java,", S3ProxyServer.start());
            case "minio" -> started("MinIO, an S3 server,", MinioServer.start());
            default -> new DemoStore("your store", new Remote(URI.create(name), environment), () -> {});
        };
    }

    private static DemoStore started(String title, S3Server server) {
        return new DemoStore(title, server, server::close);
    }

    @Override
    public void close() {
        end.run();
    }

    /** A store that somebody else runs; its keys and region come from the environment, as for any other S3 client. */
    private record Remote(URI endpoint, Map<String, String> environment) implements S3Store {
        @Override
        public String region() {
            return environment.getOrDefault("AWS_REGION", "us-east-1");
        }

        @Override
        public Credentials.Keys root() {
            return new Credentials.Keys(
                    environment.getOrDefault("AWS_ACCESS_KEY_ID", ""),
                    environment.getOrDefault("AWS_SECRET_ACCESS_KEY", ""));
        }

        @Override
        public SSLContext trust() {
            return PrivateCa.trustOfTheJdk();
        }
    }
}
