package s3csi.s3.testing.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import s3csi.s3.testing.process.Scratch;
import s3csi.s3.testing.process.Tools;

/** S3Proxy over a directory: comes as a Java library, knows no tags of buckets. */
public final class S3ProxyServer extends LocalServer {
    private static final String REGION = "us-east-1";

    private S3ProxyServer(ServerProcess process) {
        super(process, "http", REGION);
    }

    public static S3ProxyServer start() {
        Path directory = Scratch.directoryWithAttributes("s3proxy");
        var recipe = new ServerProcess.Recipe() {
            @Override
            public List<String> command(int port) {
                return List.of(
                        Tools.built("s3proxy").toString(),
                        "--properties",
                        properties(directory, port).toString());
            }

            @Override
            public Map<String, String> environment() {
                return Map.of();
            }

            @Override
            public URI health(int port) {
                return URI.create("http://127.0.0.1:" + port + "/healthz");
            }
        };
        return new S3ProxyServer(ServerProcess.start(recipe, directory, PrivateCa.trustOfTheJdk()));
    }

    private static Path properties(Path directory, int port) {
        try {
            Path data = Files.createDirectories(directory.resolve("data"));
            return Files.writeString(directory.resolve("s3proxy.properties"), """
                    s3proxy.endpoint=http://127.0.0.1:%d
                    s3proxy.authorization=aws-v2-or-v4
                    s3proxy.identity=%s
                    s3proxy.credential=%s
                    jclouds.provider=filesystem-nio2
                    jclouds.filesystem.basedir=%s
                    """.formatted(
                            port, ROOT.accessKeyId(), ROOT.secretAccessKey(), data));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write S3Proxy's configuration", failure);
        }
    }
}
