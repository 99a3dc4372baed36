package s3csi.mounter.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import s3csi.linux.Errno;
import s3csi.linux.LinuxException;
import s3csi.linux.UnixDatagram;

/**
 * Lines to the local syslog daemon, in the form of RFC 3164. A daemon that is not there or does not keep up loses lines: a file
 * system must never wait for its log.
 */
final class SyslogAppender extends AppenderBase<ILoggingEvent> {
    static final Path SOCKET = Path.of("/dev/log");

    private static final int FACILITY_USER = 1 << 3;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ENGLISH).withZone(ZoneId.systemDefault());

    private final Path path;
    private final String tag;
    private @Nullable UnixDatagram socket;

    SyslogAppender(Path path, long pid) {
        this.path = path;
        this.tag = " mount-s3[" + pid + "]: ";
    }

    /** What to tell the user where no daemon listens; empty where one does. */
    static Optional<String> absence(Path path) {
        try {
            UnixDatagram.connect(path).close();
            return Optional.empty();
        } catch (LinuxException e) {
            return Optional.of("the log of this mount is lost, because no syslog daemon listens at " + path + " ("
                    + Errno.meaning(e.errno()) + "); name a directory for it with --log-directory, or say --no-log");
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        byte[] line = line(event);
        // One more try on a new socket: the daemon may have been restarted.
        if (!sent(line)) {
            disconnect();
            sent(line);
        }
    }

    private boolean sent(byte[] line) {
        try {
            if (socket == null) {
                socket = UnixDatagram.connect(path);
            }
            socket.send(line);
            return true;
        } catch (LinuxException _) {
            return false;
        }
    }

    private byte[] line(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(200);
        line.append('<').append(FACILITY_USER + severity(event.getLevel())).append('>');
        TIME.formatTo(event.getInstant(), line);
        line.append(tag).append('[').append(event.getLevel()).append("] ");
        TextLine.body(line, event);
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static int severity(Level level) {
        if (level.isGreaterOrEqual(Level.ERROR)) {
            return 3;
        }
        if (level.isGreaterOrEqual(Level.WARN)) {
            return 4;
        }
        return level.isGreaterOrEqual(Level.INFO) ? 6 : 7;
    }

    private void disconnect() {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }

    @Override
    public void stop() {
        super.stop();
        disconnect();
    }
}
