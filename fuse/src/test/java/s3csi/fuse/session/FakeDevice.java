package s3csi.fuse.session;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import s3csi.fuse.Operation;
import s3csi.linux.CallState;
import s3csi.linux.Errno;
import s3csi.linux.IoVector;

/** A kernel of the test's own: it sends any bytes as a request and keeps what is answered. */
final class FakeDevice implements Device {
    static final int UID = 1001;
    static final int GID = 1002;
    static final int PID = 1003;
    static final long NODE = 42;

    private final BlockingQueue<Object> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private final Queue<Integer> refusals = new ConcurrentLinkedQueue<>();
    private long lastUnique = 100;
    volatile boolean closed;
    /** Whether the process that sends the requests is being killed. */
    volatile boolean isCallerKilled;
    /** How often that was asked. */
    final AtomicInteger looks = new AtomicInteger();

    @Override
    public int read(MemorySegment buffer, CallState state) {
        try {
            Object next = requests.take();
            if (next instanceof byte[] request) {
                if (request.length > buffer.byteSize()) {
                    return -Errno.EINVAL;
                }
                MemorySegment.copy(MemorySegment.ofArray(request), 0, buffer, 0, request.length);
                return request.length;
            }
            int errno = (Integer) next;
            if (errno == Errno.ENODEV) {
                // Like the kernel, for every thread and for ever.
                requests.add(next);
            }
            return -errno;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int write(IoVector vector) {
        // Before the test sees the answer: what it refuses then is the next one.
        Integer refusal = refusals.poll();
        answers.add(vector.toBytes());
        return refusal == null ? 0 : -refusal;
    }

    /** The next answer is not taken. */
    void refuseAnswer(int errno) {
        refusals.add(errno);
    }

    @Override
    public boolean isBeingKilled(int thread) {
        looks.incrementAndGet();
        return thread == PID && isCallerKilled;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** The next read fails. */
    void fail(int errno) {
        requests.add(errno);
    }

    /** Sends bytes as they are. */
    void sendRaw(byte[] request) {
        requests.add(request);
    }

    /** Sends a request of a process that the session cannot see, and returns its number. */
    long sendUnseen(Operation operation, byte[] body) {
        lastUnique += 2;
        sendRaw(request(operation.code(), lastUnique, 0, body));
        return lastUnique;
    }

    /** The number that the next request will have. */
    long nextUnique() {
        return lastUnique + 2;
    }

    /** Says that the process which sent the request got a signal. */
    void interrupt(long unique) {
        sendRaw(request(
                Operation.INTERRUPT.code(),
                unique | 1,
                new Bytes().int64(unique).done()));
    }

    /** Sends a request with a good header and returns its number. */
    long send(Operation operation, byte[] body) {
        return send(operation.code(), body);
    }

    long send(int opcode, byte[] body) {
        lastUnique += 2;
        sendRaw(request(opcode, lastUnique, body));
        return lastUnique;
    }

    static byte[] request(int opcode, long unique, byte[] body) {
        return request(opcode, unique, PID, body);
    }

    private static byte[] request(int opcode, long unique, int pid, byte[] body) {
        return new Bytes()
                .int32(40 + body.length)
                .int32(opcode)
                .int64(unique)
                .int64(NODE)
                .int32(UID)
                .int32(GID)
                .int32(pid)
                .int32(0)
                .raw(body)
                .done();
    }

    /** A SETATTR that changes everything, each field by a number of its own. */
    static Bytes setattr() {
        Bytes bytes = new Bytes()
                .int32(0x7ff)
                .int32(0)
                .int64(1)
                .int64(2)
                .int64(3)
                .int64(4)
                .int64(5)
                .int64(6);
        return bytes.int32(7)
                .int32(8)
                .int32(9)
                .int32(10)
                .int32(0)
                .int32(11)
                .int32(12)
                .int32(0);
    }

    /** The next answer, header and all. */
    byte[] answer() throws InterruptedException {
        byte[] answer = answers.poll(Mounted.LONG.toSeconds(), TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("no answer within " + Mounted.LONG);
        }
        return answer;
    }

    boolean hasAnswer() {
        return !answers.isEmpty();
    }

    /** Bytes put together field by field, in the order of the machine. */
    static final class Bytes {
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.nativeOrder());

        Bytes int16(int value) {
            buffer.putShort((short) value);
            return this;
        }

        Bytes int32(int value) {
            buffer.putInt(value);
            return this;
        }

        Bytes int64(long value) {
            buffer.putLong(value);
            return this;
        }

        Bytes text(String value) {
            buffer.put(value.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
            return this;
        }

        Bytes raw(byte[] value) {
            buffer.put(value);
            return this;
        }

        Bytes zeroes(int count) {
            return raw(new byte[count]);
        }

        byte[] done() {
            byte[] bytes = new byte[buffer.position()];
            buffer.flip().get(bytes);
            return bytes;
        }
    }
}
