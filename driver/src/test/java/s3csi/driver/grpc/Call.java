package s3csi.driver.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One call of a service without a wire: its answer, or why there is none. */
public final class Call<A> implements StreamObserver<A> {
    private @Nullable A answer;
    private Status status = Status.UNKNOWN;

    public static <Q, A> Call<A> of(BiConsumer<Q, StreamObserver<A>> method, Q request) {
        Call<A> call = new Call<>();
        method.accept(request, call);
        return call;
    }

    public A given() {
        assertThat(status.isOk()).as(String.valueOf(status.getDescription())).isTrue();
        if (answer == null) {
            throw new AssertionError("the call ended without an answer");
        }
        return answer;
    }

    public String refused(Status.Code code) {
        assertThat(status.getCode()).as(String.valueOf(status.getDescription())).isEqualTo(code);
        return String.valueOf(status.getDescription());
    }

    @Override
    public void onNext(A answer) {
        this.answer = answer;
    }

    @Override
    public void onError(Throwable failure) {
        status = Status.fromThrowable(failure);
    }

    @Override
    public void onCompleted() {
        status = Status.OK;
    }
}
