package s3csi.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static s3csi.filesystem.testing.Errors.assertErrno;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import s3csi.filesystem.testing.ErrnoException;
import s3csi.filesystem.testing.Eventually;
import s3csi.filesystem.testing.FakeKernel;
import s3csi.filesystem.testing.WireMount;
import s3csi.linux.Errno;
import s3csi.linux.FileFlags;
import s3csi.s3.StoreException;
import s3csi.s3.testing.StoreScript;

/** What a program sees of a store that misbehaves on the wire: right bytes or an error, never wrong bytes, never a hang. */
class WireFaultTest {
    private static final int MIB = 1 << 20;
    private static final int READ = 128 * 1024;

    private static WireMount mount() throws Exception {
        return WireMount.with(config());
    }

    private static FileSystemConfig config() {
        FileSystemConfig config = FileSystemConfig.defaults(0, 0)
                .withPermissions(
                        FileSystemConfig.Permissions.DEFAULTS.withOverwrite().withDelete());
        return config.withUploads(config.uploads().withPartSize(5 * MIB));
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] stored(WireMount mount, String key) {
        var object = mount.memory.find(key);
        if (object == null) {
            throw new AssertionError("there is no object " + key);
        }
        byte[] bytes = new byte[(int) object.content().size()];
        object.content().read(0, java.lang.foreign.MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static String etagOf(WireMount mount) throws StoreException {
        return Objects.requireNonNull(mount.memory.head("f").etag()).text();
    }

    private static void assertSame(byte[] actual, byte[] expected) {
        assertThat(Arrays.equals(actual, expected)).as("the bytes are right").isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504, 429})
    void burstsOfBusyAnswersAreOutwaited(int status) throws Exception {
        byte[] bytes = random(12 * MIB);
        try (WireMount mount = mount()) {
            mount.memory.add("d/old", bytes);
            Map<String, Integer> times = new ConcurrentHashMap<>();
            // Every request fails twice before it works.
            mount.spoil((request, reply) -> {
                String what = request.method() + request.target() + request.header("range");
                boolean isBad = times.merge(what, 1, Integer::sum) <= 2;
                if (isBad) {
                    reply.answer(
                            status, "", request.method().equals("HEAD") ? "" : "<Error><Code>SlowDown</Code></Error>");
                }
                return isBad;
            });

            assertSame(mount.kernel.readAll("d/old"), bytes);
            mount.kernel.writeAll("d/new", bytes, MIB);
            assertThat(mount.kernel.ls("d")).containsExactly("new", "old");

            assertSame(stored(mount, "d/new"), bytes);
            assertThat(mount.observed)
                    .contains("GetObject " + status, "UploadPart " + status, "ListObjectsV2 " + status);
            assertThat(mount.waits).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        }
    }

    @Test
    void aStoreThatStaysBusyIsAnErrorAndTakesNoMemory() throws Exception {
        byte[] bytes = random(12 * MIB);
        try (WireMount mount = mount()) {
            mount.memory.add("f", bytes);
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.spoil((_, reply) -> {
                reply.error(503, "SlowDown");
                return true;
            });

            for (int i = 0; i < 20; i++) {
                int at = i * READ;
                assertErrno(Errno.EIO, () -> mount.kernel.read(file, at, READ));
            }
            assertErrno(Errno.EIO, () -> mount.kernel.ls(""));

            Eventually.that(() -> mount.pool.used() == 0);
            assertThat(mount.server.requests()).hasSizeLessThan(1000);
            mount.heal();
            assertSame(mount.kernel.read(file, 0, READ), Arrays.copyOf(bytes, READ));
            mount.kernel.close(file);
        }
    }

    @ParameterizedTest
    @CsvSource({"70000, false", "70000, true", "8192, true"})
    void brokenConnectionsCostNoByte(int every, boolean reset) throws Exception {
        byte[] bytes = random(3 * MIB);
        try (WireMount mount = mount()) {
            mount.memory.add("f", bytes);
            String etag = etagOf(mount);
            mount.spoil((request, reply) -> {
                if (!request.method().equals("GET")
                        || StoreScript.keyOf(request).isEmpty()) {
                    return false;
                }
                reply.partOfObject(request, bytes, etag, every);
                if (reset) {
                    reply.reset();
                } else {
                    reply.close();
                }
                return true;
            });

            assertSame(mount.kernel.readAll("f"), bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes 1-131072/41943040",
                "bytes 0-131071/41943040",
                "bytes 20971520-21102591/99",
                "bytes 20971520-21102591/41943041"
            })
    void otherBytesThanAskedForAreAnError(String range) throws Exception {
        byte[] bytes = random(40 * MIB);
        try (WireMount mount = mount()) {
            mount.memory.add("f", bytes);
            String etag = "etag: \"" + etagOf(mount) + "\"\r\n";
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.spoil((_, reply) -> {
                if (range.isEmpty()) {
                    reply.answer(200, etag, bytes);
                } else {
                    reply.answer(206, etag + "content-range: " + range + "\r\n", Arrays.copyOf(bytes, READ));
                }
                return true;
            });

            assertErrno(Errno.EIO, () -> mount.kernel.read(file, 20 * MIB, READ));

            assertThat(mount.observed).contains("integrity GetObject");
            mount.heal();
            assertSame(mount.kernel.read(file, 20 * MIB, READ), Arrays.copyOfRange(bytes, 20 * MIB, 20 * MIB + READ));
            mount.kernel.close(file);
        }
    }

    @Test
    void aFlippedBitIsAnErrorAndIsNotKept() throws Exception {
        byte[] bytes = random(200_000);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes);
        String checksum = java.util.Base64.getEncoder()
                .encodeToString(java.nio.ByteBuffer.allocate(4)
                        .putInt((int) crc.getValue())
                        .array());
        byte[] flipped = bytes.clone();
        flipped[150_000] ^= 8;
        try (WireMount mount = mount()) {
            mount.memory.add("f", bytes);
            String etag = etagOf(mount);
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.spoil((request, reply) -> {
                if (!request.method().equals("GET")) {
                    return false;
                }
                reply.answer(
                        206,
                        "etag: \"" + etag + "\"\r\ncontent-range: bytes 0-199999/200000\r\nx-amz-checksum-crc32c: "
                                + checksum + "\r\n",
                        flipped);
                return true;
            });

            assertErrno(Errno.EIO, () -> mount.kernel.read(file, 0, READ));
            assertErrno(Errno.EIO, () -> mount.kernel.read(file, READ, READ));

            assertThat(mount.observed).contains("integrity GetObject");
            mount.heal();
            assertSame(mount.kernel.read(file, READ, READ), Arrays.copyOfRange(bytes, READ, bytes.length));
            mount.kernel.close(file);
        }
    }

    @Test
    void anotherVersionBetweenTwoReadsIsStale() throws Exception {
        byte[] first = random(40 * MIB);
        byte[] second = random(5000);
        try (WireMount mount = mount()) {
            mount.memory.add("f", first);
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            assertSame(mount.kernel.read(file, 0, READ), Arrays.copyOf(first, READ));

            mount.memory.add("f", second);

            assertErrno(Errno.ESTALE, () -> mount.kernel.read(file, 39 * MIB, READ));
            assertSame(mount.kernel.readAll("f"), second);
            mount.kernel.close(file);
        }
    }

    @Test
    void anObjectDeletedWhileOpenIsAnError() throws Exception {
        try (WireMount mount = mount()) {
            mount.memory.add("f", random(40 * MIB));
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.memory.delete("f");

            assertErrno(Errno.EIO, () -> mount.kernel.read(file, 39 * MIB, READ));
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
            mount.kernel.close(file);
        }
    }

    @Test
    void aServerThatDripsIsLeftForAnotherConnection() throws Exception {
        byte[] bytes = random(100_000);
        try (WireMount mount = WireMount.impatient(config())) {
            mount.memory.add("f", bytes);
            String etag = etagOf(mount);
            CountDownLatch dripping = new CountDownLatch(1);
            mount.spoil((request, reply) -> {
                if (!request.method().equals("GET")
                        || StoreScript.keyOf(request).isEmpty()
                        || dripping.getCount() == 0) {
                    return false;
                }
                dripping.countDown();
                reply.partOfObject(request, bytes, etag, 10);
                reply.stall();
                return true;
            });

            assertSame(mount.kernel.readAll("f"), bytes);
            assertThat(dripping.getCount()).isZero();
        }
    }

    @Test
    void aServerThatNeverAnswersIsAnErrorAndDoesNotStopTheUnmount() throws Exception {
        try (WireMount mount = WireMount.impatient(config())) {
            mount.memory.add("f", random(MIB));
            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.spoil((_, reply) -> {
                reply.stall();
                return true;
            });

            FakeKernel.Reading read = mount.kernel.startRead(file, 0, READ);
            FakeKernel.File written = null;
            try {
                written = mount.kernel.create("g", FileFlags.O_WRONLY);
            } catch (ErrnoException e) {
                assertThat(e.errno()).isEqualTo(Errno.EIO);
            }
            assertThat(written).as("a file that the store knows nothing of").isNull();
            assertErrno(Errno.EIO, read::bytes);

            FakeKernel.Reading last = mount.kernel.startRead(file, 0, READ);
            Thread end = Thread.ofVirtual().start(mount.fileSystem::close);
            assertThat(end.join(Duration.ofSeconds(20))).isTrue();
            assertErrno(Errno.EIO, last::bytes);
        }
    }

    @Test
    void oneForbiddenObjectIsRefusedAndTheRestIsFine() throws Exception {
        try (WireMount mount = mount()) {
            mount.memory.add("secret", random(100));
            mount.memory.add("public", random(200));
            FakeKernel.File open = mount.kernel.open("secret", FileFlags.O_RDONLY);
            mount.spoil((request, reply) -> {
                if (!StoreScript.keyOf(request).equals("secret")) {
                    return false;
                }
                if (request.method().equals("HEAD")) {
                    reply.send("HTTP/1.1 403 X\r\n\r\n");
                } else {
                    reply.error(403, "AccessDenied");
                }
                return true;
            });

            assertErrno(Errno.EACCES, () -> mount.kernel.read(open, 0, 100));
            assertErrno(Errno.EACCES, () -> mount.kernel.node("secret"));
            assertErrno(Errno.EACCES, () -> {
                FakeKernel.File file = mount.kernel.open(open.node(), FileFlags.O_WRONLY | FileFlags.O_TRUNC);
                mount.kernel.write(file, 0, random(10));
                mount.kernel.close(file);
            });
            assertSame(mount.kernel.readAll("public"), random(200));
            assertThat(mount.kernel.ls("")).containsExactly("public", "secret");
            mount.kernel.close(open);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 12 * MIB})
    void anAnswerThatIsLostAfterStoringIsNoError(int size) throws Exception {
        byte[] bytes = random(size);
        try (WireMount mount = mount()) {
            StoreScript good = new StoreScript(mount.memory);
            CountDownLatch lost = new CountDownLatch(1);
            mount.spoil((request, reply) -> {
                boolean stores = size <= 5 * MIB
                        ? request.method().equals("PUT")
                        : request.method().equals("POST")
                                && StoreScript.queryOf(request).containsKey("uploadId");
                if (!stores || lost.getCount() == 0) {
                    return false;
                }
                lost.countDown();
                good.answer(request, reply.silent());
                reply.close();
                return true;
            });

            mount.kernel.writeAll("f", bytes, MIB);

            assertThat(lost.getCount()).isZero();
            assertSame(stored(mount, "f"), bytes);
        }
    }

    @Test
    void aPartThatFailsForGoodFailsTheCloseAndIsAborted() throws Exception {
        try (WireMount mount = mount()) {
            mount.spoil((request, reply) -> {
                boolean isSecond = "2".equals(StoreScript.queryOf(request).get("partNumber"));
                if (isSecond) {
                    reply.error(500, "InternalError");
                }
                return isSecond;
            });
            FakeKernel.File file = mount.kernel.create("f", FileFlags.O_WRONLY);
            int errno = 0;
            try {
                for (int at = 0; at < 12 * MIB; at += MIB) {
                    mount.kernel.write(file, at, random(MIB));
                }
            } catch (ErrnoException e) {
                errno = e.errno();
            }
            assertThat(errno).isIn(0, Errno.EIO);
            assertErrno(Errno.EIO, () -> mount.kernel.close(file));

            Eventually.that(() -> !mount.requests("DELETE").isEmpty());
            Eventually.that(() -> !mount.memory.hasUploadInProgress("f"));
            assertThat(mount.memory.find("f")).isNull();
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("f"));
        }
    }

    @Test
    void anErrorInsideAGoodAnswerToTheCompletionIsAnError() throws Exception {
        try (WireMount mount = mount()) {
            mount.spoil((request, reply) -> {
                boolean completes = request.method().equals("POST")
                        && StoreScript.queryOf(request).containsKey("uploadId");
                if (completes) {
                    reply.answer(200, "", "<?xml version=\"1.0\"?><Error><Code>InternalError</Code></Error>");
                }
                return completes;
            });

            assertErrno(Errno.EIO, () -> mount.kernel.writeAll("f", random(12 * MIB), MIB));

            Eventually.that(() -> !mount.memory.hasUploadInProgress("f"));
            assertThat(mount.memory.find("f")).isNull();
        }
    }

    @Test
    void whatListingAndHeadDisagreeAboutIsDecidedByTheHeadAndTheBytes() throws Exception {
        byte[] bytes = random(300_000);
        try (WireMount mount = mount()) {
            mount.memory.add("f", bytes);
            String etag = etagOf(mount);
            mount.spoil((request, reply) -> {
                boolean lists = StoreScript.keyOf(request).isEmpty()
                        && StoreScript.queryOf(request)
                                .getOrDefault("prefix", "")
                                .isEmpty();
                if (lists) {
                    reply.answer(
                            200,
                            "",
                            "<ListBucketResult><IsTruncated>false</IsTruncated>" + entry("f", 17, "other")
                                    + entry("ghost", 5, "ghost") + "</ListBucketResult>");
                }
                return lists;
            });

            List<FakeKernel.Listed> names = mount.kernel.list("", 100);
            assertThat(names).extracting(FakeKernel.Listed::name).containsExactly("f", "ghost");
            long listed = names.getFirst().number();

            // The number stands for the version that was listed, and that one is not there.
            assertErrno(Errno.ESTALE, () -> mount.kernel.open(listed, FileFlags.O_RDONLY));
            assertSame(mount.kernel.readAll("f"), bytes);
            assertErrno(Errno.ENOENT, () -> mount.kernel.node("ghost"));

            FakeKernel.File file = mount.kernel.open("f", FileFlags.O_RDONLY);
            mount.spoil((request, reply) -> {
                reply.object(request, Arrays.copyOf(bytes, 100_000), etag);
                return true;
            });
            assertErrno(Errno.EIO, () -> mount.kernel.read(file, 0, READ));
            assertErrno(Errno.EIO, () -> mount.kernel.read(file, 99_999, READ));
            mount.heal();
            mount.kernel.close(file);
        }
    }

    private static String entry(String key, int size, String etag) {
        return "<Contents><Key>" + key + "</Key><LastModified>2026-11-15T10:00:00Z</LastModified><ETag>&quot;" + etag
                + "&quot;</ETag><Size>" + size + "</Size></Contents>";
    }
}
