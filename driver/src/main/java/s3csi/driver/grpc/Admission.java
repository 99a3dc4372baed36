package s3csi.driver.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

/**
 * Lets calls in one after the other, so that neither their number nor their size can exhaust the driver.
 *
 * <p>Only a few requests at a time are received; the others wait in the pipe, where the window of HTTP/2 keeps them small. What is too
 * large goes no further. Then a call waits for a turn among those of its method, so that calls which wait for a store or an engine never
 * keep others, like a probe or the end of a volume, from being served. Whoever waits too long is told to come back.
 */
final class Admission implements ServerInterceptor {
    /** Together with the largest message a bound on the memory that requests can take before they have been looked at. */
    private static final int RECEIVED_AT_ONCE = 4;

    /** As many volumes as a node starts at once; more would only wait elsewhere. */
    private static final int TURNS = 64;

    /** A connection costs the driver some 30 KiB while its call waits. */
    private static final int MOST_WAITING = 256;

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read a message that is in memory", e);
            }
        }
    };

    private final CallLog log;
    private final Duration patience;
    private final Duration requestWithin;
    private final Semaphore receiving = new Semaphore(RECEIVED_AT_ONCE, true);
    private final ConcurrentHashMap<String, Semaphore> turns = new ConcurrentHashMap<>();

    /**
     * For one server.
     *
     * @param patience how long a call may wait for its turn
     * @param requestWithin how long a client may take to send the request of a call that it began
     */
    Admission(CallLog log, Duration patience, Duration requestWithin) {
        this.log = log;
        this.patience = patience;
        this.requestWithin = requestWithin;
    }

    /** The service behind this door, with its calls logged. */
    ServerServiceDefinition guard(BindableService service) {
        ServerServiceDefinition logged = ServerInterceptors.intercept(service, log);
        return ServerInterceptors.intercept(ServerInterceptors.useMarshalledMessages(logged, BYTES), this);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        long started = System.nanoTime();
        try {
            take(receiving, started);
        } catch (VolumeFailure failure) {
            refuse(call, failure, started);
            return new ServerCall.Listener<>() {};
        }
        boolean watched = false;
        try {
            Admitted<Q, A> admitted = new Admitted<>(call, started, next.startCall(call, headers));
            Thread.ofVirtual().name("waits for a request").start(admitted::expectRequest);
            watched = true;
            return admitted;
        } finally {
            if (!watched) {
                receiving.release();
            }
        }
    }

    private void take(Semaphore permits, long started) {
        long left = patience.toNanos() - (System.nanoTime() - started);
        try {
            if (permits.getQueueLength() >= MOST_WAITING || !permits.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                throw new VolumeFailure(new Cause.DriverBusy("too many calls are waiting for their turn"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VolumeFailure(new Cause.Stopping(), e);
        }
    }

    private void refuse(ServerCall<?, ?> call, VolumeFailure failure, long started) {
        Status status = StatusCodes.statusOf(failure);
        log.refused(call.getMethodDescriptor(), status, System.nanoTime() - started);
        call.close(status, new Metadata());
    }

    private static Descriptor requestType(ServerCall<?, ?> call) {
        if (call.getMethodDescriptor().getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier supplier) {
            return supplier.getMethodDescriptor().getInputType();
        }
        throw new IllegalArgumentException(call.getMethodDescriptor() + " is no method of a protocol");
    }

    private enum Request {
        EXPECTED,
        RECEIVED,
        /** The call is closed; nothing else happens to it. */
        REFUSED
    }

    /** A call whose request may come. */
    private final class Admitted<Q, A> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, A> call;
        private final long started;
        private final CountDownLatch received = new CountDownLatch(1);
        private final AtomicReference<Request> request = new AtomicReference<>(Request.EXPECTED);

        Admitted(ServerCall<Q, A> call, long started, ServerCall.Listener<Q> next) {
            super(next);
            this.call = call;
            this.started = started;
        }

        /** A client that begins a call and does not go on must not keep its place. */
        void expectRequest() {
            try {
                if (!received.await(requestWithin.toNanos(), TimeUnit.NANOSECONDS)
                        && request.compareAndSet(Request.EXPECTED, Request.REFUSED)) {
                    Admission.this.refuse(
                            call,
                            VolumeFailure.invalid(
                                    "request",
                                    "it did not come within " + requestWithin.toSeconds() + " s",
                                    "Send it with the call"),
                            started);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                receiving.release();
            }
        }

        private void refuse(VolumeFailure failure) {
            request.set(Request.REFUSED);
            Admission.this.refuse(call, failure, started);
        }

        @Override
        public void onMessage(Q message) {
            if (!request.compareAndSet(Request.EXPECTED, Request.RECEIVED)) {
                return;
            }
            try {
                RequestSizes.check(requestType(call), (byte[]) message);
                super.onMessage(message);
            } catch (VolumeFailure failure) {
                refuse(failure);
            } finally {
                received.countDown();
            }
        }

        /** The request is whole: a unary call does all of its work in here. */
        @Override
        public void onHalfClose() {
            request.compareAndSet(Request.EXPECTED, Request.RECEIVED);
            received.countDown();
            if (request.get() == Request.REFUSED) {
                return;
            }
            Semaphore ours = turns.computeIfAbsent(
                    call.getMethodDescriptor().getFullMethodName(), _ -> new Semaphore(TURNS, true));
            try {
                take(ours, started);
            } catch (VolumeFailure failure) {
                refuse(failure);
                return;
            }
            try {
                if (!call.isCancelled()) {
                    super.onHalfClose();
                }
            } finally {
                ours.release();
            }
        }

        @Override
        public void onCancel() {
            received.countDown();
            super.onCancel();
        }
    }
}
