package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.GetAnswer;
import s3csi.s3.GetRequest;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.testing.ScriptedServer;

/** Reads never deliver a wrong, missing or repeated byte, whatever the server does. */
class ReadFaultTest extends FaultFixture {
    private static final String CHUNKED_HEAD = String.join(
            "\r\n",
            "HTTP/1.1 206 X",
            "etag: W/\"abc123\"",
            "content-range: bytes 0-9999/10000",
            "transfer-encoding: chunked",
            "",
            "");

    @Test
    void extensionsOfChunksAreReadOver() throws Exception {
        byte[] bytes = random(10_000);
        HttpObjectStore store = storeOf((_, reply) -> {
            reply.send(CHUNKED_HEAD);
            reply.send("2710;signature=" + "f".repeat(5000) + ";note=\"a;b\"\r\n");
            reply.send(bytes);
            reply.send("\r\n0;end\r\nx-amz-trailer: " + "t".repeat(2000) + "\r\n\r\n");
        });

        assertThat(read(store, 0, 10_000)).isEqualTo(bytes);
        assertThat(read(store, 0, 10_000)).isEqualTo(bytes);
        assertThat(server().connections()).isEqualTo(1);
    }

    @Test
    void aChunkWhoseLineDoesNotEndIsNotReadForEver() {
        HttpObjectStore store = storeOf((_, reply) -> {
            reply.send(CHUNKED_HEAD);
            reply.send("2710;" + "x".repeat(100_000));
        });

        StoreException e = failureOf(() -> read(store, 0, 10_000), StoreFailure.Protocol.class);

        assertThat(e).hasMessageContaining("does not end");
    }

    @ParameterizedTest
    @CsvSource({
        "-1, negative",
        "-7fffffffffffffff, negative",
        "8000000000000000, not a number",
        "5 5, not a number",
        "0x5, not a number",
        "'', not a number"
    })
    void aChunkOfNoSizeThatCanBeIsRefused(String size, String why) {
        HttpObjectStore store = storeOf((_, reply) -> {
            reply.send(CHUNKED_HEAD);
            reply.send(size + "\r\n" + "x".repeat(10_000));
        });

        StoreException e = failureOf(() -> read(store, 0, 10_000), StoreFailure.Protocol.class);

        assertThat(e).hasMessageContaining("the size of a chunk").hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 65_537, 299_999})
    void aCutBodyIsFetchedFromTheFirstMissingByte(int cut) throws Exception {
        byte[] bytes = random(300_000);
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.partOfObject(request, bytes, ETAG, cut);
                reply.close();
            } else {
                reply.object(request, bytes, ETAG);
            }
        });

        assertThat(read(store, 0, 300_000)).isEqualTo(bytes);

        ScriptedServer.Request second = server().requests().get(1);
        assertThat(second.header("range")).isEqualTo("bytes=" + cut + "-299999");
        assertThat(second.header("if-match")).isEqualTo('"' + ETAG + '"');
    }

    @Test
    void aResetEveryFewKilobytesOnlyCostsTime() throws Exception {
        byte[] bytes = random(1_000_000);
        HttpObjectStore store = storeOf((request, reply) -> {
            reply.partOfObject(request, bytes, ETAG, 20_000);
            reply.close();
        });

        assertThat(read(store, 17, 999_983)).isEqualTo(Arrays.copyOfRange(bytes, 17, 1_000_000));

        assertThat(server().requests()).hasSizeGreaterThanOrEqualTo(50);
    }

    @Test
    void aServerThatSendsALittleAndBreaksIsGivenUp() {
        byte[] bytes = random(100_000);
        HttpObjectStore store = storeOf((request, reply) -> {
            reply.partOfObject(request, bytes, ETAG, 10);
            reply.close();
        });

        failureOf(() -> read(store, 0, 100_000), StoreFailure.Unreachable.class);

        assertThat(server().requests()).hasSize(10);
    }

    @Test
    void aServerThatDripsIsAbandonedForAnotherConnection() throws Exception {
        byte[] bytes = random(50_000);
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() > 1) {
                        reply.object(request, bytes, ETAG);
                        return;
                    }
                    reply.partOfObject(request, bytes, ETAG, 100);
                    for (int i = 100; i < 50_000; i++) {
                        reply.send(new byte[] {bytes[i]});
                        pause();
                    }
                }),
                // The second one must not pause for as long.
                options().timeouts(idleFor(Duration.ofSeconds(1))));

        assertThat(read(store, 0, 50_000)).isEqualTo(bytes);
        assertThat(server().requests()).hasSize(2);
    }

    static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aSlowReaderIsNotASlowServer() throws Exception {
        byte[] bytes = random(400_000);
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> reply.object(request, bytes, ETAG)),
                options().timeouts(idleFor(Duration.ofMillis(500))));
        MemorySegment memory = arena.allocate(100_000);

        store.get(new GetRequest("key", new ByteRange(0, 400_000), null), new BodySink() {
            @Override
            public MemorySegment space(long offset, long remaining) {
                // Longer than the idle timeout of the connection.
                for (int i = 0; i < 60; i++) {
                    pause();
                }
                return memory;
            }

            @Override
            public boolean received(int count) {
                return true;
            }
        });

        assertThat(server().requests()).hasSize(1);
    }

    @Test
    void anIgnoredRangeIsNoticed() {
        byte[] bytes = random(1000);
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(200, "etag: \"abc123\"\r\n", bytes));

        StoreException e = failureOf(() -> read(store, 500, 100), StoreFailure.Integrity.class);

        assertThat(e).hasMessageContaining("asked for bytes 500 to 600");
        assertThat(observed).contains("integrity GetObject");
        assertThat(server().requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes 501-600/1000",
                "bytes 500-598/1000",
                "bytes 500-600/1000",
                "bytes 500-599/*",
                "nonsense",
                ""
            })
    void aWrongContentRangeIsNoticed(String range) {
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(
                206,
                "etag: \"abc123\"\r\n" + (range.isEmpty() ? "" : "content-range: " + range + "\r\n"),
                random(100)));

        failureOf(() -> read(store, 500, 100), StoreFailure.Integrity.class);
    }

    @Test
    void aFlippedBitIsNoticedByTheChecksumOfTheWholeObject() {
        byte[] bytes = random(200_000);
        String checksum = Checksums.base64Of32(Checksums.crc32c(payload(bytes)));
        byte[] flipped = bytes.clone();
        flipped[123_456] ^= 4;
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(
                206,
                "etag: \"abc123\"\r\ncontent-range: bytes 0-199999/200000\r\nx-amz-checksum-crc32c: " + checksum
                        + "\r\n",
                flipped));

        StoreException e = failureOf(() -> read(store, 0, 200_000), StoreFailure.Integrity.class);

        assertThat(e).hasMessageContaining("checksum");
        assertThat(observed).contains("integrity GetObject");
    }

    @ParameterizedTest
    @ValueSource(strings = {"crc32c", "crc64nvme"})
    void aRightChecksumIsAcceptedAcrossABrokenConnection(String algorithm) throws Exception {
        byte[] bytes = random(200_000);
        String checksum = algorithm.equals("crc32c")
                ? Checksums.base64Of32(Checksums.crc32c(payload(bytes)))
                : Checksums.base64Of64(Checksums.crc64nvme(payload(bytes)));
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.send(
                        "HTTP/1.1 206 X\r\netag: \"abc123\"\r\ncontent-range: bytes 0-199999/200000\r\nx-amz-checksum-"
                                + algorithm + ": " + checksum + "\r\ncontent-length: 200000\r\n\r\n");
                reply.send(Arrays.copyOf(bytes, 77_777));
                reply.close();
            } else {
                reply.object(request, bytes, ETAG);
            }
        });

        assertThat(read(store, 0, 200_000)).isEqualTo(bytes);
        assertThat(server().requests().getFirst().header("x-amz-checksum-mode")).isEqualTo("ENABLED");
    }

    @Test
    void anotherVersionInTheMiddleEndsTheReadEvenIfTheStoreDoesNotMind() {
        byte[] bytes = random(100_000);
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.partOfObject(request, bytes, ETAG, 50_000);
                reply.close();
            } else {
                reply.object(request, bytes, "other");
            }
        });

        failureOf(
                () -> store.get(
                        new GetRequest("key", new ByteRange(0, 100_000), null), BodySink.into(arena.allocate(100_000))),
                StoreFailure.PreconditionFailed.class);
    }

    @Test
    void aChunkedBodyIsRead() throws Exception {
        byte[] bytes = random(10_000);
        HttpObjectStore store = storeOf((_, reply) -> {
            reply.send(CHUNKED_HEAD);
            reply.send("3;extension=1\r\n");
            reply.send(Arrays.copyOf(bytes, 3));
            reply.send("\r\n" + Integer.toHexString(9_997) + "\r\n");
            reply.send(Arrays.copyOfRange(bytes, 3, 10_000));
            reply.send("\r\n0\r\ntrailer: x\r\n\r\n");
        });

        assertThat(read(store, 0, 10_000)).isEqualTo(bytes);
        assertThat(read(store, 0, 10_000)).isEqualTo(bytes);
        assertThat(server().connections()).isEqualTo(1);
    }

    @Test
    void aChunkedBodyThatEndsEarlyIsCut() throws Exception {
        byte[] bytes = random(10_000);
        HttpObjectStore store = storeOf((request, reply) -> {
            if (request.number() == 1) {
                reply.send(CHUNKED_HEAD + "1388\r\n");
                reply.send(Arrays.copyOf(bytes, 5000));
                reply.send("\r\n0\r\n\r\n");
            } else {
                reply.object(request, bytes, ETAG);
            }
        });

        assertThat(read(store, 0, 10_000)).isEqualTo(bytes);
        assertThat(server().requests().get(1).header("range")).isEqualTo("bytes=5000-9999");
    }

    @Test
    void anAnswerWithoutAnETagIsStillRead() throws Exception {
        byte[] bytes = random(100);
        HttpObjectStore store = storeOf((_, reply) -> reply.answer(206, "content-range: bytes 0-99/100\r\n", bytes));

        MemorySegment memory = arena.allocate(100);
        GetAnswer answer = store.get(new GetRequest("key", new ByteRange(0, 100), null), BodySink.into(memory));

        assertThat(answer.object().etag()).isNull();
        assertThat(answer.object().isComplete()).isFalse();
    }

    @Test
    void whatIsNotHttpIsAProtocolFailure() {
        HttpObjectStore store = storeOf((_, reply) -> {
            reply.send("SSH-2.0-OpenSSH_9.9\r\n\r\n");
            reply.close();
        });

        failureOf(() -> read(store, 0, 10), StoreFailure.Protocol.class);
    }

    /** Stores announce the checksum of the whole also with a part of it. */
    @Test
    void theChecksumOfTheWholeSaysNothingAboutItsBeginning() throws Exception {
        byte[] bytes = random(1000);
        String checksum = Checksums.base64Of32(Checksums.crc32c(payload(bytes)));
        HttpObjectStore store = storeOf((_, reply) -> {
            reply.send("HTTP/1.1 206 X\r\netag: \"abc123\"\r\ncontent-range: bytes 0-99/1000\r\nx-amz-checksum-crc32c: "
                    + checksum + "\r\ncontent-length: 100\r\n\r\n");
            reply.send(Arrays.copyOf(bytes, 100));
        });

        assertThat(read(store, 0, 100)).isEqualTo(Arrays.copyOf(bytes, 100));
    }

    /** What came once is no reason to ask for ever. */
    @Test
    void aServerThatSendsNothingMoreIsGivenUp() {
        byte[] bytes = random(50_000);
        HttpObjectStore store = storeOf(
                new ScriptedServer((request, reply) -> {
                    if (request.number() == 1) {
                        reply.partOfObject(request, bytes, ETAG, 20_000);
                    } else if (request.number() > 200) {
                        reply.error(404, "NoSuchKey");
                    }
                    reply.close();
                }),
                options().attempts(5));

        failureOf(() -> read(store, 0, 50_000), StoreFailure.Unreachable.class);

        assertThat(server().requests()).hasSizeLessThan(20);
    }
}
