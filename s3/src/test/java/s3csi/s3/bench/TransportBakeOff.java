package s3csi.s3.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import s3csi.s3.Condition;
import s3csi.s3.ObjectAttributes;
import s3csi.s3.Payload;
import s3csi.s3.Upload;
import s3csi.s3.UploadedPart;
import s3csi.s3.client.HttpObjectStore;
import s3csi.s3.client.HttpStoreOptions;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.http.Trust;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;

/**
 * One round: every contender, plain and over TLS, with 1, 4 and 16 streams, each in a JVM of its own, against MinIO with its data in
 * memory. Appends a line per run to the file that is its argument: contender, scheme, streams, wall seconds, CPU seconds, peak
 * resident kilobytes. A scheme and a number of streams may follow, to run only those. Rounds are repeated from outside, so that
 * contenders alternate.
 */
public final class TransportBakeOff {
    static final String BUCKET = "bakeoff";
    static final String KEY = "object";
    static final String PATH = "/" + BUCKET + "/" + KEY;
    static final long RANGE = 8L << 20;
    static final long OBJECT = 256L << 20;
    static final long TOTAL = 1L << 30;

    private static final List<String> CONTENDERS =
            List.of("own", Contender.OWN_ON_PLATFORM_THREADS, "jdk", "netty", "crt");

    private TransportBakeOff() {}

    public static void main(String[] arguments) throws Exception {
        Path results = Path.of(arguments[0]);
        List<String> schemes = arguments.length > 1 ? List.of(arguments[1]) : List.of("http", "https");
        List<Integer> streamCounts = arguments.length > 2 ? List.of(Integer.valueOf(arguments[2])) : List.of(1, 4, 16);
        for (String scheme : schemes) {
            PrivateCa ca = PrivateCa.create();
            Path authority = Files.writeString(Files.createTempFile("bakeoff", ".pem"), ca.certificatePem());
            try (MinioServer server =
                    scheme.equals("https") ? MinioServer.startInMemoryWithTls(ca) : MinioServer.startInMemory()) {
                fill(server, Trust.bundle(authority, Trust.Bundle.REPLACES));
                // The common runtime checks names only, not addresses.
                URI address = URI.create(server.endpoint().toString().replace("127.0.0.1", "localhost"));
                for (int streams : streamCounts) {
                    for (String contender : CONTENDERS) {
                        String line = contender
                                + ' '
                                + scheme
                                + ' '
                                + streams
                                + ' '
                                + run(contender, streams, address, authority);
                        System.out.println(line);
                        Files.writeString(results, line + '\n', StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    }
                }
            } finally {
                Files.delete(authority);
            }
        }
    }

    private static void fill(MinioServer server, Trust trust) throws Exception {
        server.createBucket(BUCKET);
        try (Arena arena = Arena.ofConfined();
                HttpObjectStore store = new HttpObjectStore(HttpStoreOptions.forBucket(BUCKET)
                        .endpoint(server.endpoint())
                        .trust(trust)
                        .credentials(CredentialsSource.fixed(MinioServer.ROOT)))) {
            byte[] bytes = new byte[(int) RANGE];
            new Random(1).nextBytes(bytes);
            MemorySegment part = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            Upload upload = store.createUpload(KEY, ObjectAttributes.DEFAULTS);
            List<UploadedPart> parts = new ArrayList<>();
            for (int number = 1; number <= OBJECT / RANGE; number++) {
                parts.add(store.uploadPart(upload, number, Payload.of(part)));
            }
            store.completeUpload(upload, parts, Condition.NONE);
        }
    }

    private static String run(String contender, int streams, URI address, Path authority) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:+UseCompactObjectHeaders",
                        "-Xmx64m",
                        "-XX:MaxDirectMemorySize=512m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TransportRun.class.getName(),
                        contender,
                        String.valueOf(streams),
                        address.toString(),
                        authority.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (child.waitFor() != 0) {
            throw new IllegalStateException(contender + " failed: " + said);
        }
        return said;
    }
}
