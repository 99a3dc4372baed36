package s3csi.fuse.session;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that was handed over: an object of its own, which any thread may answer and which may be cancelled. One
 * thread at a time prepares the answer; {@link #abandon} may come from another one in between.
 */
final class LaterAnswer extends Answer {
    private enum State {
        OPEN,
        ANSWERED,
        /** Answered with an error on behalf of the handler, whose own answer is dropped; or not to be answered at all. */
        ABANDONED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final AtomicReference<@Nullable Runnable> onCancel = new AtomicReference<>();
    private volatile boolean cancelled;
    private @Nullable Outbox box;

    LaterAnswer(InlineAnswer from) {
        super(from.connection);
        unique = from.unique;
        operation = from.operation;
        node = from.node;
        uid = from.uid;
        gid = from.gid;
        pid = from.pid;
        limit = from.limit;
        offset = from.offset;
        name = from.name;
        newName = from.newName;
        began = from.began;
    }

    @Override
    boolean claim() {
        if (state.compareAndSet(State.OPEN, State.ANSWERED)) {
            return true;
        }
        if (state.get() == State.ABANDONED) {
            return false;
        }
        throw new IllegalStateException(operation + " was answered already");
    }

    @Override
    Outbox outbox() {
        Outbox own = box;
        if (own == null) {
            own = connection.outboxes.take();
            box = own;
        }
        return own;
    }

    @Override
    void released() {
        Outbox own = box;
        if (own != null) {
            box = null;
            connection.outboxes.giveBack(own);
        }
        connection.pending.remove(this);
    }

    @Override
    public LaterAnswer later() {
        return this;
    }

    @Override
    public boolean abandon(int errno) {
        if (!state.compareAndSet(State.OPEN, State.ABANDONED)) {
            return false;
        }
        // Not the answer's own outbox: another thread may be filling that at this moment.
        Outbox other = connection.outboxes.take();
        other.begin();
        connection.send(other, operation, node, -errno, unique);
        connection.outboxes.giveBack(other);
        connection.pending.remove(this);
        connection.answered(this, 0, errno);
        return true;
    }

    /** Gives the request up without an answer, for another process to get it again. */
    void drop() {
        if (state.compareAndSet(State.OPEN, State.ABANDONED)) {
            connection.pending.remove(this);
        }
    }

    @Override
    public boolean isAnswered() {
        return state.get() != State.OPEN;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void onCancel(Runnable action) {
        onCancel.set(action);
        if (cancelled) {
            runCancelAction();
        }
    }

    @Override
    public void answerBy(Runnable work) {
        connection.threads.run(this, work);
    }

    /** The process that waits is being killed, or the session ends. */
    void cancel() {
        cancelled = true;
        runCancelAction();
    }

    private void runCancelAction() {
        Runnable action = onCancel.getAndSet(null);
        if (action == null) {
            return;
        }
        try {
            action.run();
        } catch (RuntimeException e) {
            connection.handlerFailed(operation, node, e);
        }
    }
}
