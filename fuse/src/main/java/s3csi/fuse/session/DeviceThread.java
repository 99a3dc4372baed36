package s3csi.fuse.session;

import java.lang.foreign.MemorySegment;
import s3csi.fuse.AccessRule;
import s3csi.fuse.Operation;
import s3csi.fuse.wire.InvalidNameException;
import s3csi.fuse.wire.MalformedRequestException;
import s3csi.fuse.wire.RequestBytes;
import s3csi.linux.CallState;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.linux.Wakeup;

/** A platform thread that reads requests from the device and has them handled, one after the other. */
final class DeviceThread implements Runnable {
    private final DeviceSession session;
    private final Connection connection;
    private final AccessRule access;
    private final CallState state = new CallState();
    private final RequestBytes request = new RequestBytes();
    private final LentWriteData writeData;
    private final InlineAnswer answer;
    private final Thread thread;
    private MemorySegment buffer;

    /** The kernel's number of the thread while it is in a read, else 0: only then may it be woken. */
    private volatile long reading;

    DeviceThread(
            DeviceSession session, Connection connection, SessionSettings settings, RequestBuffers buffers, int index)
            throws LinuxException {
        this.session = session;
        this.connection = connection;
        this.access = settings.access();
        this.buffer = buffers.map();
        this.writeData = new LentWriteData(buffers);
        this.answer = new InlineAnswer(connection, this);
        // The JVM ends when the session does, not before: these are not daemons.
        this.thread = Thread.ofPlatform().name(settings.name() + "-" + index).unstarted(this);
    }

    Thread thread() {
        return thread;
    }

    @Override
    public void run() {
        long number = Wakeup.currentThread();
        while (!session.isStopping()) {
            reading = number;
            int length = connection.device.read(buffer, state);
            reading = 0;
            if (length >= 0) {
                handleSafely(length);
            } else if (!session.goesOnAfter(-length)) {
                break;
            }
        }
        session.threadEnded();
    }

    /** Takes the thread out of a read, if it is in one. */
    void wake() {
        long number = reading;
        if (number != 0) {
            Wakeup.wake(number);
        }
    }

    private void handleSafely(int length) {
        try {
            handle(length);
        } catch (Throwable e) {
            // Also an Error: one request that runs out of stack or memory must not take the mount with it.
            try {
                if (answer.isOpen() && hasAnswer(answer.operation())) {
                    answer.failed(e);
                } else {
                    connection.handlerFailed(answer.operation(), answer.node, e);
                }
            } catch (Throwable again) {
                // The thread lives on, or nobody would read requests any more.
                connection.counters.handlerFailures.increment();
            }
        }
    }

    private void handle(int length) {
        try {
            request.wrap(buffer, length);
        } catch (MalformedRequestException e) {
            connection.events.malformedRequest(length >= 8 ? request.opcode() : -1, String.valueOf(e.getMessage()));
            return;
        }
        Operation operation = Operation.of(request.opcode());
        answer.unique = request.unique();
        answer.node = request.node();
        answer.uid = request.uid();
        answer.gid = request.gid();
        answer.pid = request.pid();
        answer.began = System.nanoTime();
        answer.operation = operation == null ? Operation.NOTIFY_REPLY : operation;
        answer.begin();
        if (operation == null) {
            answer.error(Errno.ENOSYS);
            return;
        }
        try {
            switch (operation) {
                case FORGET, BATCH_FORGET ->
                    connection.counters.forgets.add(session.dispatcher().forget(operation, request));
                case INTERRUPT -> session.interrupt(request.int64(0));
                case INIT -> session.negotiate(request, answer);
                case DESTROY -> answer.done();
                case NOTIFY_REPLY -> connection.events.malformedRequest(operation.code(), "nobody asked for it");
                default -> dispatch(operation);
            }
        } catch (MalformedRequestException e) {
            connection.events.malformedRequest(request.opcode(), String.valueOf(e.getMessage()));
            if (answer.isOpen() && hasAnswer(operation)) {
                answer.error(Errno.EIO);
            }
        }
    }

    private static boolean hasAnswer(Operation operation) {
        return operation != Operation.FORGET
                && operation != Operation.BATCH_FORGET
                && operation != Operation.INTERRUPT
                && operation != Operation.NOTIFY_REPLY;
    }

    private void dispatch(Operation operation) throws MalformedRequestException {
        connection.counters.requests.increment();
        try {
            if (AccessRule.isChecked(operation) && !access.allows(request.uid())) {
                answer.error(Errno.EACCES);
                return;
            }
            session.dispatcher().dispatch(operation, request, writeData, buffer, answer);
            if (answer.isOpen()) {
                answer.failed(new IllegalStateException("the handler of " + operation + " returned without an answer"));
            }
        } catch (InvalidNameException e) {
            answer.error(Errno.EINVAL);
        } catch (MalformedRequestException e) {
            throw e;
        } catch (Throwable e) {
            failed(e);
        } finally {
            MemorySegment next = writeData.end();
            if (next != null) {
                buffer = next;
            }
        }
    }

    private void failed(Throwable cause) {
        if (answer.isHandedOver()) {
            // The handler may have failed between later() and starting whoever answers: nobody else will.
            LaterAnswer later = connection.pending.find(answer.unique());
            if (later != null) {
                later.failed(cause);
                return;
            }
        }
        answer.failed(cause);
    }
}
