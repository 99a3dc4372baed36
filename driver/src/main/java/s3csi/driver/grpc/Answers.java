package s3csi.driver.grpc;

import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.volume.Cause;
import s3csi.volume.VolumeFailure;

/** Runs the work of a call and gives its answer, exactly one, whatever happens. */
public final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    public static <T> void give(StreamObserver<T> observer, Supplier<T> work) {
        T answer;
        try {
            answer = work.get();
        } catch (VolumeFailure failure) {
            observer.onError(StatusCodes.statusOf(failure).asException());
            return;
        } catch (OutOfMemoryError e) {
            // What this call held is free again, and the others can go on.
            LOG.error("the driver has run out of memory in a call; raise its memory limit if this happens again", e);
            Cause cause = new Cause.DriverBusy("the driver has run out of memory");
            observer.onError(StatusCodes.statusOf(new VolumeFailure(cause, e)).asException());
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
