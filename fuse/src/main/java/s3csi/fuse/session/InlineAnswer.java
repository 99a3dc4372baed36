package s3csi.fuse.session;

/**
 * The answer to the request that a device thread handles at the moment. There is one per thread, used again and again, in memory that
 * is the thread's own: so answering allocates nothing and takes no lock.
 */
final class InlineAnswer extends Answer {
    private enum State {
        /** An answer is owed. */
        OPEN,
        ANSWERED,
        /** Answered with an error on behalf of the handler, whose own answer is dropped. */
        ABANDONED,
        /** A {@link LaterAnswer} stands for the request now. */
        HANDED_OVER
    }

    private final DeviceThread owner;
    private final Outbox box = new Outbox();
    private State state = State.ANSWERED;

    InlineAnswer(Connection connection, DeviceThread owner) {
        super(connection);
        this.owner = owner;
    }

    /** Stands for the next request. */
    void begin() {
        state = State.OPEN;
        limit = 0;
        offset = 0;
        name = null;
        newName = null;
        forgetParts();
    }

    /** Notes which name the request is about, and gives it back. */
    String named(String text) {
        name = text;
        return text;
    }

    /** Notes at which offset the request is about how many bytes. */
    void at(long place, int bytes) {
        offset = place;
        limit = bytes;
    }

    /** Whether the handler has neither answered nor handed over. */
    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isHandedOver() {
        return state == State.HANDED_OVER;
    }

    @Override
    boolean claim() {
        boolean dropped = state == State.ABANDONED;
        state = dropped ? State.ABANDONED : State.ANSWERED;
        return !dropped;
    }

    @Override
    Outbox outbox() {
        mustBelongToThisThread();
        switch (state) {
            case OPEN, ABANDONED -> {}
            case ANSWERED -> throw new IllegalStateException(operation + " was answered already");
            case HANDED_OVER ->
                throw new IllegalStateException(operation + " was handed over; answer what later() returned");
        }
        return box;
    }

    @Override
    void released() {
        // The memory stays with the thread.
    }

    @Override
    public LaterAnswer later() {
        mustBelongToThisThread();
        if (state != State.OPEN) {
            throw new IllegalStateException(operation + " was answered or handed over already");
        }
        LaterAnswer later = new LaterAnswer(this);
        connection.pending.add(later);
        state = State.HANDED_OVER;
        return later;
    }

    @Override
    public boolean abandon(int errno) {
        mustBelongToThisThread();
        if (state != State.OPEN) {
            return false;
        }
        error(errno);
        state = State.ABANDONED;
        return true;
    }

    @Override
    public boolean isAnswered() {
        return state != State.OPEN;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable action) {
        throw new IllegalStateException(
                "a request that is answered at once cannot be cancelled; call later() before onCancel");
    }

    @Override
    public void answerBy(Runnable work) {
        throw new IllegalStateException(
                "only a request that was handed over has a thread; call later() before answerBy");
    }

    private void mustBelongToThisThread() {
        if (!Thread.currentThread().equals(owner.thread())) {
            throw new IllegalStateException("a reply was used on another thread than the one that handles the request;"
                    + " call later() before the handler returns and use what it returns");
        }
    }
}
