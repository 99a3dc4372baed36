package s3csi.s3.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a class says in its log while this is open, from information on. */
public final class HeardLog implements AutoCloseable {
    private final Logger logger;
    private final @Nullable Level before;
    private final ListAppender<ILoggingEvent> heard = new ListAppender<>();

    public HeardLog(Class<?> speaker) {
        this.logger = (Logger) LoggerFactory.getLogger(speaker);
        this.before = logger.getLevel();
        heard.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(heard);
    }

    public List<String> information() {
        return at(Level.INFO);
    }

    public List<String> warnings() {
        return at(Level.WARN);
    }

    public List<String> errors() {
        return at(Level.ERROR);
    }

    private List<String> at(Level level) {
        return heard.list.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(heard);
        logger.setLevel(before);
    }
}
