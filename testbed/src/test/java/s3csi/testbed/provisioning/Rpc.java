package s3csi.testbed.provisioning;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import s3csi.csi.v1.ControllerGrpc;
import s3csi.csi.v1.IdentityGrpc;
import s3csi.testbed.csi.CsiChannel;

/** Any call of the contract, by its description. */
record Rpc(MethodDescriptor<Message, Message> method) {
    private static final MethodDescriptor.Marshaller<byte[]> AS_THEY_ARE = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream stream) {
            throw new IllegalStateException("only requests are raw");
        }
    };

    /** All of Identity and Controller. */
    @SuppressWarnings("unchecked") // every request and answer of the contract is a message
    static Stream<Rpc> all() {
        return Stream.of(IdentityGrpc.getServiceDescriptor(), ControllerGrpc.getServiceDescriptor())
                .flatMap(service -> service.getMethods().stream())
                .map(method -> new Rpc((MethodDescriptor<Message, Message>) method));
    }

    static Rpc named(String name) {
        return all().filter(rpc -> rpc.toString().equals(name)).findFirst().orElseThrow();
    }

    Descriptor request() {
        var description = (ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor());
        return description.getMethodDescriptor().getInputType();
    }

    /** A request with nothing in it. */
    Message empty() {
        return Objects.requireNonNull(
                ((MethodDescriptor.PrototypeMarshaller<Message>) method.getRequestMarshaller()).getMessagePrototype());
    }

    Message call(CsiChannel channel, Message request) {
        return ClientCalls.blockingUnaryCall(
                channel.grpc(), method, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), request);
    }

    /** Calls with bytes that need not be a request. */
    void callWith(byte[] bytes, CsiChannel channel) {
        MethodDescriptor<byte[], Message> raw =
                method.toBuilder(AS_THEY_ARE, method.getResponseMarshaller()).build();
        ClientCalls.blockingUnaryCall(
                channel.grpc(), raw, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), bytes);
    }

    @Override
    public String toString() {
        return String.valueOf(method.getBareMethodName());
    }
}
