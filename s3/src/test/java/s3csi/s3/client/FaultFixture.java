package s3csi.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import s3csi.s3.BodySink;
import s3csi.s3.ByteRange;
import s3csi.s3.ETag;
import s3csi.s3.GetRequest;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreFailure;
import s3csi.s3.StoreObserver;
import s3csi.s3.StoreOperation;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.credentials.CredentialsSource;
import s3csi.s3.http.Timeouts;
import s3csi.s3.testing.ScriptedServer;

/** A store, a server that misbehaves, and what was observed. Waits between retries take no time. */
abstract class FaultFixture {
    static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
    /** Longer than a good answer ever takes, also on a busy machine: a request is tried again only if a test says so. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    static final String ETAG = "abc123";

    final Arena arena = Arena.ofShared();
    final List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
    final List<String> observed = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger connections = new AtomicInteger();
    private @Nullable ScriptedServer server;
    private @Nullable HttpObjectStore store;

    @AfterEach
    void stop() {
        if (store != null) {
            store.close();
            // The watchdog may be in the middle of closing one.
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (connections.get() > 0 && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(connections.get()).as("open connections after close").isZero();
        }
        if (server != null) {
            server.close();
        }
        arena.close();
    }

    HttpObjectStore storeOf(ScriptedServer.Script script) {
        return storeOf(new ScriptedServer(script), options());
    }

    HttpObjectStore storeOf(ScriptedServer misbehaving, HttpStoreOptions options) {
        server = misbehaving;
        store = new HttpObjectStore(options.endpoint(misbehaving.address()));
        return store;
    }

    ScriptedServer server() {
        if (server == null) {
            throw new IllegalStateException("no server yet");
        }
        return server;
    }

    HttpStoreOptions options() {
        return HttpStoreOptions.forBucket("bucket")
                .credentials(CredentialsSource.fixed(new Credentials.Keys("id", "secret")))
                .timeouts(timeouts(PATIENCE, PATIENCE))
                .observer(new Recorder())
                .time(Clock.fixed(NOW, ZoneOffset.UTC), new Random(1), waits::add);
    }

    /** For tests of what does not come in time. */
    static Timeouts timeouts(Duration firstByte, Duration idle) {
        return new Timeouts(PATIENCE, firstByte, idle, Duration.ofSeconds(30));
    }

    static Timeouts firstByteWithin(Duration firstByte) {
        return timeouts(firstByte, PATIENCE);
    }

    static Timeouts idleFor(Duration idle) {
        return timeouts(PATIENCE, idle);
    }

    private final class Recorder implements StoreObserver {
        @Override
        public void requestEnded(StoreOperation operation, int status, Duration firstByte, Duration total) {
            observed.add(operation.label() + ' ' + status);
        }

        @Override
        public void connectionsChanged(int delta) {
            connections.addAndGet(delta);
        }

        @Override
        public void integrityViolated(StoreOperation operation) {
            observed.add("integrity " + operation.label());
        }
    }

    byte[] read(HttpObjectStore from, long offset, long length) throws StoreException {
        MemorySegment memory = arena.allocate(length);
        from.get(new GetRequest("key", new ByteRange(offset, length), new ETag(ETAG)), BodySink.into(memory));
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    Payload payload(byte[] bytes) {
        return Payload.of(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
    }

    static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    static StoreException failureOf(ThrowingCallable call, Class<? extends StoreFailure> kind) {
        StoreException e = catchThrowableOfType(StoreException.class, call);
        assertThat(e).as("a failure of kind %s", kind.getSimpleName()).isNotNull();
        assertThat(e.failure()).as(e.getMessage()).isInstanceOf(kind);
        return e;
    }
}
