package s3csi.driver.grpc;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.volume.Cause;
import s3csi.volume.CauseFaces;
import s3csi.volume.VolumeFailure;

/** One log line for each call that fails (for every call from verbosity 4 on), and its metrics. */
public final class CallLog implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(CallLog.class);

    private final CallMetrics metrics;

    public CallLog(CallMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Watched<Q, A> watched = new Watched<>(call);
        return new SimpleForwardingServerCallListener<>(next.startCall(watched, headers)) {
            @Override
            public void onMessage(Q message) {
                watched.request = message;
                super.onMessage(message);
            }
        };
    }

    private final class Watched<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final long started = System.nanoTime();
        private volatile @Nullable Object request;

        Watched(ServerCall<Q, A> call) {
            super(call);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            ended(getMethodDescriptor(), status, System.nanoTime() - started, request);
            super.close(status, trailers);
        }
    }

    /** A call was closed before its request was read. */
    void refused(MethodDescriptor<?, ?> method, Status status, long nanos) {
        ended(method, status, nanos, null);
    }

    private void ended(MethodDescriptor<?, ?> called, Status status, long nanos, @Nullable Object request) {
        String method = String.valueOf(called.getBareMethodName());
        Cause cause = causeOf(status);
        metrics.ended(method, status.getCode(), cause, nanos);
        boolean failed = !status.isOk();
        // Asking for what does not exist is how clients find out; it is no news at the default verbosity.
        boolean notable = failed && status.getCode() != Status.Code.UNIMPLEMENTED;
        if (!notable && !LOG.isDebugEnabled()) {
            return;
        }
        var line = notable ? LOG.atError() : LOG.atDebug();
        line = line.addKeyValue("method", method)
                .addKeyValue("code", status.getCode())
                .addKeyValue("ms", TimeUnit.NANOSECONDS.toMillis(nanos))
                .addKeyValue("request", request instanceof Message message ? RequestText.of(message) : "");
        if (cause != null) {
            line = line.addKeyValue("cause", CauseFaces.word(cause));
        }
        if (cause instanceof Cause.Defect && status.getCause() != null) {
            line = line.setCause(status.getCause().getCause());
        }
        line.log(failed ? String.valueOf(status.getDescription()) : "call served");
    }

    private static @Nullable Cause causeOf(Status status) {
        return status.getCause() instanceof VolumeFailure failure ? failure.reason() : null;
    }
}
