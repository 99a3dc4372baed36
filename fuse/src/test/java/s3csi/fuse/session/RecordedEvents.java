package s3csi.fuse.session;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import s3csi.fuse.Operation;

/** Remembers what went wrong. */
class RecordedEvents implements SessionEvents {
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final List<String> refused = new CopyOnWriteArrayList<>();
    final List<String> malformed = new CopyOnWriteArrayList<>();

    final List<AnsweredRequest> detailed = new CopyOnWriteArrayList<>();
    volatile boolean wantsDetails;

    @Override
    public boolean wantsDetails() {
        return wantsDetails;
    }

    @Override
    public void detailed(AnsweredRequest request) {
        detailed.add(request);
    }

    @Override
    public void handlerFailed(Operation operation, long node, Throwable cause) {
        failures.add(cause);
    }

    @Override
    public void answerRefused(Operation operation, long node, int errno) {
        refused.add(operation + " " + errno);
    }

    @Override
    public void malformedRequest(int opcode, String fault) {
        malformed.add(opcode + ": " + fault);
    }
}
