package s3csi.driver.node;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.linux.PeerCredentials;
import s3csi.linux.Processes;

/** An engine that is a process on this node: a child of this driver, or of one before it. */
final class EngineProcess implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(EngineProcess.class);
    private static final List<String> NO_ARGUMENTS = List.of("");
    private static final int LAST_WORDS = 2000;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    private final int pid;
    private final String mark;
    private final Path log;

    /**
     * An engine by its process.
     *
     * @param mark an argument that only this engine has: the number alone could be another's by now
     */
    EngineProcess(int pid, String mark, Path log) {
        this.pid = pid;
        this.mark = mark;
        this.log = log;
    }

    @Override
    public boolean isAlive() {
        Path process = Path.of("/proc", Integer.toString(pid));
        try {
            List<String> arguments = SpawnedEngines.commandLine(process);
            return arguments.contains(mark) || (arguments.equals(NO_ARGUMENTS) && isRunning(process));
        } catch (IOException e) {
            throw NodeFailures.of("look at process " + pid, e);
        }
    }

    /** In the middle of an exec a process has no arguments, and neither has one that ended and was not waited for. */
    private static boolean isRunning(Path process) throws IOException {
        try {
            String status = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            char state = status.charAt(status.lastIndexOf(')') + 2);
            return state != 'Z' && state != 'X';
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The same user, and the very process; who sees the engine from another pid namespace has no number to compare. */
    @Override
    public boolean isPeer(PeerCredentials peer) {
        return peer.uid() == Processes.effectiveUserId() && (peer.pid() == 0 || peer.pid() == pid);
    }

    @Override
    public byte[] lastWords() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] words = new byte[(int) Math.min(LAST_WORDS, file.length())];
            file.seek(file.length() - words.length);
            file.readFully(words);
            return words;
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
