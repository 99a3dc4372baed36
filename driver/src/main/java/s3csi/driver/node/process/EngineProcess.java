package s3csi.driver.node.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.driver.node.kernel.Deadline;
import s3csi.driver.node.kernel.NodeFailures;
import s3csi.linux.Directory;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.linux.PeerCredentials;
import s3csi.linux.Processes;

/** An engine that is a process on this node: a child of this driver, or of one before it. */
final class EngineProcess implements OwnedEngine {
    private static final Logger LOG = LoggerFactory.getLogger(EngineProcess.class);
    private static final int LAST_WORDS = 2000;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /** Where the state and the start time stand in {@code /proc/PID/stat}, behind the name in brackets. */
    private static final int STATE = 0;

    private static final int START_TIME = 19;

    private final int pid;
    private final Path log;
    private final Optional<String> started;

    /** The process of this number as it is now; a later one of the same number is another. */
    EngineProcess(int pid, Path log) {
        this.pid = pid;
        this.log = log;
        this.started = status().map(fields -> fields.get(START_TIME));
    }

    @Override
    public boolean isAlive() {
        return started.isPresent()
                && status().filter(fields -> fields.get(START_TIME).equals(started.get()))
                        .filter(fields -> !fields.get(STATE).equals("Z")
                                && !fields.get(STATE).equals("X"))
                        .isPresent();
    }

    /** The arguments of a process say less: in the middle of an exec it has none. */
    private Optional<List<String>> status() {
        try {
            String line =
                    Files.readString(Path.of("/proc", Integer.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            // ESRCH: it ended while its file was open.
            if (Files.exists(Path.of("/proc", Integer.toString(pid)))) {
                throw NodeFailures.of("look at process " + pid, e);
            }
            return Optional.empty();
        }
    }

    /** The same user, and the very process; who sees the engine from another pid namespace has no number to compare. */
    @Override
    public boolean isPeer(PeerCredentials peer) {
        return peer.uid() == Processes.effectiveUserId() && (peer.pid() == 0 || peer.pid() == pid);
    }

    @Override
    public byte[] lastWords() {
        // The engine may put anything in its place, and a pipe would hold the driver up.
        try (Directory directory = Directory.at(log.resolveSibling("."))) {
            return directory.readEnd(String.valueOf(log.getFileName()), LAST_WORDS);
        } catch (IOException e) {
            LOG.warn("cannot read what the engine said in {}: {}", log, e.toString());
            return new byte[0];
        }
    }

    @Override
    public boolean awaitEnd(Duration patience) {
        Deadline deadline = Deadline.after(patience);
        while (isAlive()) {
            if (deadline.isOver()) {
                return false;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
        return true;
    }

    @Override
    public void kill() {
        try {
            if (isAlive()) {
                Processes.kill(pid, Processes.SIGKILL);
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.ESRCH) {
                throw NodeFailures.of("end the engine, process " + pid, e);
            }
        }
    }

    @Override
    public String toString() {
        return "process " + pid;
    }
}
