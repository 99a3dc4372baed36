package s3csi.testbed.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import s3csi.s3.testing.process.Await;
import s3csi.s3.testing.server.MinioServer;
import s3csi.s3.testing.server.PrivateCa;
import s3csi.s3.testing.server.S3Server;
import s3csi.testbed.s3.S3Clients;
import s3csi.testbed.s3.TcpProxy;
import software.amazon.awssdk.services.s3.S3Client;

/** Half a minute without a store is seen by nobody; a longer one is an error in words, and over when it is over. */
@Tag("outage")
final class OutageTest {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final int THOUSANDS = 3000;
    private static final Pattern BACK = Pattern.compile("is back after (\\d+) s; (\\d+) requests waited");
    private static final Path RESULTS = Path.of("target", "outages.txt");

    private interface Switch {
        void turn();
    }

    /** Everybody is at work, the store goes for some time, and everybody finishes. */
    private static void rideOut(
            String what, MountedBucket mount, Crowd.Size size, Duration length, Switch off, Switch on)
            throws IOException {
        Crowd crowd = new Crowd(mount.directory(), size);
        crowd.start();
        Await.until(DEADLINE, () -> mount.story("serves nobody: " + crowd.errors()), () -> crowd.done() > 300);
        long gone = System.nanoTime();
        off.turn();
        LockSupport.parkNanos(length.toNanos());
        on.turn();
        double away = (System.nanoTime() - gone) / 1e9;
        int before = crowd.done();
        Await.until(
                DEADLINE,
                () -> mount.story("does not go on: " + crowd.errors()),
                () -> crowd.done() > before + 300 || !crowd.errors().isEmpty());
        crowd.end(DEADLINE);
        report(what, away, mount.log(), crowd.errors());
        assertThat(crowd.errors()).as(mount.story(what)).isEmpty();
    }

    private static synchronized void report(String what, double away, String log, List<String> errors)
            throws IOException {
        int waited = 0;
        Matcher back = BACK.matcher(log);
        while (back.find()) {
            waited += Integer.parseInt(back.group(2));
        }
        Files.writeString(
                RESULTS,
                String.format(
                        Locale.ROOT,
                        "%s: %.1f s away, %d requests waited, %d errors seen%n",
                        what,
                        away,
                        waited,
                        errors.size()),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        assertThat(waited).as("requests that waited, by the log").isPositive();
    }

    private interface Play {
        void play() throws Exception;
    }

    /** Beside each other: what takes time is waiting. */
    private static void all(List<Play> plays) throws Exception {
        try (ExecutorService stage = Executors.newFixedThreadPool(plays.size())) {
            List<Future<?>> results = new ArrayList<>();
            for (Play play : plays) {
                results.add(stage.submit(() -> {
                    play.play();
                    return null;
                }));
            }
            for (Future<?> result : results) {
                try {
                    result.get();
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof AssertionError failed) {
                        throw failed;
                    }
                    throw e;
                }
            }
        }
    }

    @Test
    void aStoreThatIsKilledAndBackAfterHalfAMinuteFailsNobody() throws Exception {
        Crowd.Size everybody = new Crowd.Size(8, 64, 24, 4);
        PrivateCa authority = PrivateCa.create();
        // One after the other: a child of this JVM closes what it inherits of the crowd's files, which waits for the
        // store that is away.
        try (MinioServer server = MinioServer.startInMemory()) {
            killAndRestart("killed", server, "", everybody);
        }
        try (MinioServer server = MinioServer.startInMemoryWithTls(authority)) {
            killAndRestart("killed, TLS", server, authority.certificatePem(), everybody);
        }
    }

    private static void killAndRestart(String what, S3Server server, String certificates, Crowd.Size size)
            throws IOException {
        server.createBucket(MountedBucket.BUCKET);
        try (MountedBucket mount = new MountedBucket(server, server.endpoint(), certificates)) {
            rideOut(what, mount, size, Duration.ofSeconds(30), server::kill, server::restart);
        }
    }

    @Test
    void aStoreThatIsSilentOrBusyOrNotThereForAWhileFailsNobody() throws Exception {
        Crowd.Size some = new Crowd.Size(2, 8, 6, 1);
        try (MinioServer server = MinioServer.startInMemory()) {
            server.createBucket(MountedBucket.BUCKET);
            List<Play> plays = new ArrayList<>();
            for (String how : List.of("refused", "silent", "503")) {
                plays.add(() -> {
                    try (TcpProxy proxy = TcpProxy.before(server.endpoint());
                            MountedBucket mount =
                                    new MountedBucket(server, proxy.endpoint(), "", "--prefix", how + '/')) {
                        Switch off = switch (how) {
                            case "refused" -> proxy::refuse;
                            case "silent" -> proxy::blackhole;
                            default -> proxy::answerBusy;
                        };
                        rideOut(how, mount, some, Duration.ofSeconds(20), off, proxy::pass);
                    }
                });
            }
            all(plays);
        }
    }

    /** A program may have any number of threads, and what each of them waits for takes memory. */
    @Test
    void thousandsOfCallsThatWaitAreAllAnswered() throws Exception {
        try (MinioServer server = MinioServer.startInMemory()) {
            server.createBucket(MountedBucket.BUCKET);
            try (MountedBucket mount = new MountedBucket(server, server.endpoint(), "", "--memory-target", "128")) {
                Files.writeString(mount.directory().resolve("there"), "hello");
                AtomicInteger answered = new AtomicInteger();
                Queue<String> errors = new ConcurrentLinkedQueue<>();

                server.kill();
                for (int i = 0; i < THOUSANDS; i++) {
                    Path name = mount.directory().resolve("none" + i);
                    Thread.ofPlatform().daemon().stackSize(128 << 10).start(() -> {
                        try {
                            errors.add(name + " has " + Files.size(name) + " bytes");
                        } catch (NoSuchFileException e) {
                            answered.incrementAndGet();
                        } catch (IOException | RuntimeException e) {
                            errors.add(e.toString());
                        }
                    });
                }
                LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
                server.restart();

                Await.until(
                        DEADLINE,
                        () -> mount.story("answered " + answered + " calls; " + errors),
                        () -> answered.get() == THOUSANDS || !errors.isEmpty());
                assertThat(errors).isEmpty();
                assertThat(mount.directory().resolve("there")).hasContent("hello");
            }
        }
    }

    @Test
    void afterItsTimeAnOutageFailsEveryCallInWordsUntilTheStoreIsBack() throws Exception {
        try (MinioServer server = MinioServer.startInMemory();
                S3Client bucket = S3Clients.root(server);
                TcpProxy proxy = TcpProxy.before(server.endpoint())) {
            server.createBucket(MountedBucket.BUCKET);
            try (MountedBucket mount = new MountedBucket(server, proxy.endpoint(), "", "--store-patience", "5")) {
                Files.writeString(mount.directory().resolve("there"), "hello");
                OutputStream large = Files.newOutputStream(mount.directory().resolve("large"));
                large.write(new byte[20_000_000]);
                Await.until(DEADLINE, () -> "no part was sent", () -> uploads(bucket) > 0);

                proxy.refuse();

                assertThat(secondsToFail(() -> Files.size(mount.directory().resolve("gone0"))))
                        .isBetween(3.0, 20.0);
                for (int i = 1; i <= 5; i++) {
                    Path name = mount.directory().resolve("gone" + i);
                    assertThat(secondsToFail(() -> Files.size(name))).isLessThan(8);
                }
                proxy.blackhole();
                for (int i = 6; i <= 8; i++) {
                    Path name = mount.directory().resolve("gone" + i);
                    assertThat(secondsToFail(() -> Files.size(name))).isLessThan(12);
                }
                assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
                    large.write(new byte[20_000_000]);
                    large.close();
                });

                proxy.pass();
                Await.until(DEADLINE, () -> mount.story("does not come back"), () -> isThere(mount));
                Files.writeString(mount.directory().resolve("after"), "all is well");
                assertThat(mount.log())
                        .contains("the store of bucket outage has been away for", "requests fail from now on");
                Await.until(DEADLINE, () -> mount.story("left parts behind"), () -> uploads(bucket) == 0);
            }
        }
    }

    private static int uploads(S3Client bucket) {
        return bucket.listMultipartUploads(
                        request -> request.bucket(MountedBucket.BUCKET).prefix("large"))
                .uploads()
                .size();
    }

    private static boolean isThere(MountedBucket mount) {
        try {
            return Files.readString(mount.directory().resolve("there")).equals("hello");
        } catch (IOException e) {
            return false;
        }
    }

    private interface Call {
        Object call() throws IOException;
    }

    private static double secondsToFail(Call call) {
        long start = System.nanoTime();
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(call::call)
                .withMessageContaining("Input/output error");
        return (System.nanoTime() - start) / 1e9;
    }
}
