package s3csi.linux;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open file descriptor with one owner, who closes it.
 *
 * <p>A descriptor may be in use on other threads when it is closed. The number is given back to the kernel only when the last
 * of these calls is over, because until then it must not become somebody else's file.
 */
public final class Descriptor implements AutoCloseable {
    private static final CFunction CLOSE = CFunction.named("close");
    private static final CFunction FCNTL = CFunction.named("fcntl");

    private static final int F_GETFD = 1;
    private static final int F_SETFD = 2;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int FD_CLOEXEC = 1;

    private static final int CLOSED = 1 << 30;

    private final int number;
    /** How many calls use the number, plus {@link #CLOSED}. */
    private final AtomicInteger users = new AtomicInteger();

    private Descriptor(int number) {
        this.number = number;
    }

    /** Takes over a number that nobody else will close: inherited, received, or returned by a call just now. */
    public static Descriptor owning(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("a descriptor is not negative: " + number);
        }
        return new Descriptor(number);
    }

    /** The number, for a command line or a message. Whoever uses it must know that the descriptor stays open. */
    public int number() {
        return number;
    }

    /** A path that leads to the very file of this descriptor, for calls that take nothing but paths, as long as it stays open. */
    Path asPath() {
        return Path.of("/proc/self/fd", Integer.toString(number));
    }

    /** Begins a use; false when it is closed already. Each success is followed by {@link #endUse}. */
    boolean beginUse() {
        int before = users.get();
        while ((before & CLOSED) == 0) {
            if (users.compareAndSet(before, before + 1)) {
                return true;
            }
            before = users.get();
        }
        return false;
    }

    void endUse() {
        if (users.decrementAndGet() == CLOSED) {
            closeNumber();
        }
    }

    /** Begins a use or says that the descriptor is closed. */
    void use() throws LinuxException {
        if (!beginUse()) {
            throw new LinuxException("use", "of a closed descriptor (it was " + number + ")", Errno.EBADF);
        }
    }

    public boolean isOpen() {
        return (users.get() & CLOSED) == 0;
    }

    /** A second descriptor for the same open file, closed on exec. */
    public Descriptor duplicate() throws LinuxException {
        return duplicateAbove(0);
    }

    /** The same with a number that is not below the given one. */
    Descriptor duplicateAbove(int lowest) throws LinuxException {
        return owning(fcntl(F_DUPFD_CLOEXEC, lowest));
    }

    /** Whether a child process started by exec loses it. */
    public boolean isCloseOnExec() throws LinuxException {
        return (fcntl(F_GETFD, 0) & FD_CLOEXEC) != 0;
    }

    public void setCloseOnExec(boolean value) throws LinuxException {
        int flags = fcntl(F_GETFD, 0);
        fcntl(F_SETFD, value ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC);
    }

    /** The flags it was opened with, see {@link FileFlags}. */
    public int statusFlags() throws LinuxException {
        return fcntl(F_GETFL, 0);
    }

    /** Sets O_NONBLOCK for everybody who shares the open file. */
    public void setNonBlocking(boolean value) throws LinuxException {
        int flags = fcntl(F_GETFL, 0);
        fcntl(F_SETFL, value ? flags | FileFlags.O_NONBLOCK : flags & ~FileFlags.O_NONBLOCK);
    }

    private int fcntl(int command, int argument) throws LinuxException {
        return (int)
                Calls.check("fcntl", this, (arena, captured) -> FCNTL.callInt(captured, number, command, argument));
    }

    /** Closes it; the number goes back when no call uses it any more. A second close does nothing. */
    @Override
    public void close() {
        int before = users.getAndUpdate(n -> n | CLOSED);
        if (before == 0) {
            closeNumber();
        }
    }

    private void closeNumber() {
        // close(2) gives the number back whatever it returns; a retry might close somebody else's file.
        try (Arena arena = Arena.ofConfined()) {
            CLOSE.callInt(Native.capture(arena), number);
        }
    }

    @Override
    public String toString() {
        return "descriptor " + number + (isOpen() ? "" : " (closed)");
    }
}
