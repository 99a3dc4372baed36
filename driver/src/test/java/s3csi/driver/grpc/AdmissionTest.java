package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import s3csi.csi.v1.ControllerGrpc;
import s3csi.csi.v1.CreateVolumeRequest;
import s3csi.csi.v1.CreateVolumeResponse;
import s3csi.csi.v1.DeleteVolumeRequest;
import s3csi.csi.v1.DeleteVolumeResponse;
import s3csi.driver.identity.IdentityService;

class AdmissionTest {
    private static final int MANY = 100;

    /** How many calls of a method work at a time. */
    private static final int TURNS = 64;

    @TempDir
    Path directory;

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile CountDownLatch begun = new CountDownLatch(TURNS);
    private volatile CountDownLatch goOn = new CountDownLatch(1);

    /** Making volumes takes as long as the test wants; deleting them does not. */
    private final ControllerGrpc.ControllerImplBase service = new ControllerGrpc.ControllerImplBase() {
        @Override
        public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
            Answers.give(observer, () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                begun.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                running.decrementAndGet();
                return CreateVolumeResponse.getDefaultInstance();
            });
        }

        @Override
        public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
            Answers.give(observer, () -> {
                if (request.getVolumeId().equals("too-much")) {
                    throw new OutOfMemoryError("as if");
                }
                return DeleteVolumeResponse.getDefaultInstance();
            });
        }
    };

    private CsiServer start() throws IOException {
        CsiServer server = new CsiServer(
                new EndpointAddress.Unix(socket()),
                List.of(service, new IdentityService("3.0.0", () -> true)),
                new Admission(
                        new CallLog(new CallMetrics(new PrometheusRegistry())),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(3)));
        server.start();
        return server;
    }

    private Path socket() {
        return directory.resolve("csi.sock");
    }

    private static Status.Code codeOf(Future<?> answer) throws InterruptedException {
        try {
            answer.get();
            return Status.Code.OK;
        } catch (ExecutionException e) {
            return Status.fromThrowable(e).getCode();
        }
    }

    private static Status.Code delete(Connection connection, String volume) throws InterruptedException {
        return codeOf(ControllerGrpc.newFutureStub(connection.channel())
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(volume).build()));
    }

    @Test
    void callsWaitForTheirTurnAndThoseOfOtherMethodsDoNot() throws Exception {
        try (CsiServer _ = start();
                Connection connection = Connection.to(socket())) {
            List<Future<CreateVolumeResponse>> answers = create(connection, MANY);
            assertThat(delete(connection, "v")).isEqualTo(Status.Code.OK);
            goOn.countDown();
            assertAllServed(answers);
            assertThat(most.get()).isLessThan(MANY);
        }
    }

    /** Clients give a call up after a while and come again. */
    @Test
    void callsThatAreGivenUpWhileTheyWaitKeepNoTurn() throws Exception {
        try (CsiServer _ = start();
                Connection connection = Connection.to(socket());
                Connection impatient = Connection.to(socket())) {
            List<Future<CreateVolumeResponse>> working = create(connection, TURNS);
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            List<Future<CreateVolumeResponse>> waiting = create(impatient, 32);
            // Requests of a connection are received in their order, so those before this one wait for their turn.
            assertThat(delete(impatient, "v")).isEqualTo(Status.Code.OK);
            waiting.forEach(call -> call.cancel(true));
            // The server hears of it before it hears of this.
            assertThat(delete(impatient, "v")).isEqualTo(Status.Code.OK);
            goOn.countDown();
            assertAllServed(working);

            begun = new CountDownLatch(TURNS);
            goOn = new CountDownLatch(1);
            List<Future<CreateVolumeResponse>> later = create(connection, TURNS);
            assertThat(begun.await(1, TimeUnit.MINUTES))
                    .as("as many work at a time as before")
                    .isTrue();
            goOn.countDown();
            assertAllServed(later);
        }
    }

    private static List<Future<CreateVolumeResponse>> create(Connection connection, int count) {
        List<Future<CreateVolumeResponse>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(ControllerGrpc.newFutureStub(connection.channel())
                    .createVolume(CreateVolumeRequest.getDefaultInstance()));
        }
        return answers;
    }

    private static void assertAllServed(List<Future<CreateVolumeResponse>> answers) throws InterruptedException {
        for (Future<CreateVolumeResponse> answer : answers) {
            assertThat(codeOf(answer)).isEqualTo(Status.Code.OK);
        }
    }

    @Test
    void whatIsTooLargeIsRefusedByItsName() throws Exception {
        try (CsiServer _ = start();
                Connection connection = Connection.to(socket())) {
            Future<CreateVolumeResponse> answer = ControllerGrpc.newFutureStub(connection.channel())
                    .createVolume(CreateVolumeRequest.newBuilder()
                            .putParameters("a", "x".repeat(1_400_000))
                            .build());
            assertThat(codeOf(answer)).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(answer)
                    .failsWithin(1, TimeUnit.SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("Invalid parameters");
            assertThat(running).hasValue(0);
        }
    }

    @Test
    void memoryThatRunsOutInACallFailsThatCall() throws Exception {
        try (CsiServer _ = start();
                Connection connection = Connection.to(socket())) {
            assertThat(delete(connection, "too-much")).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(delete(connection, "v")).isEqualTo(Status.Code.OK);
        }
    }

    @Test
    void callsWithoutARequestGiveTheirPlaceBack() throws Exception {
        try (CsiServer _ = start();
                Connection idle = Connection.to(socket());
                Connection connection = Connection.to(socket())) {
            List<CompletableFuture<Status>> ends = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                ends.add(begin(idle));
            }
            assertThat(delete(connection, "v")).isEqualTo(Status.Code.OK);
            for (CompletableFuture<Status> end : ends) {
                assertThat(end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            }
        }
    }

    /** A call that sends nothing but its beginning. */
    private static CompletableFuture<Status> begin(Connection connection) {
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<DeleteVolumeRequest, DeleteVolumeResponse> call = connection
                .channel()
                .newCall(
                        // Of a unary call the client keeps the beginning back until there is a request.
                        ControllerGrpc.getDeleteVolumeMethod().toBuilder()
                                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                                .build(),
                        CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        return end;
    }
}
