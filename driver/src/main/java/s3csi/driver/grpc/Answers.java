package s3csi.driver.grpc;

import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

/** Runs the work of a call and gives its answer, exactly one, whatever happens. */
public final class Answers {
    private Answers() {}

    public static <T> void give(StreamObserver<T> observer, Supplier<T> work) {
        T answer;
        try {
            answer = work.get();
        } catch (VolumeFailure failure) {
            observer.onError(StatusCodes.statusOf(failure).asException());
            return;
        } catch (RuntimeException | StackOverflowError defect) {
            Cause cause = new Cause.Defect(defect.getClass().getSimpleName() + " while serving the call");
            observer.onError(
                    StatusCodes.statusOf(new VolumeFailure(cause, defect)).asException());
            return;
        }
        observer.onNext(answer);
        observer.onCompleted();
    }
}
