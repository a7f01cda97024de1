package dev.retier.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** Keeps the warnings of all that is below {@code dev.retier}, while it is open. */
public final class Logged implements AutoCloseable {
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.retier");

    private final Level before = logger.getLevel();

    /** Begins; also where a module's tests are otherwise told less. */
    public Logged() {
        appender.start();
        if (!logger.isEnabledFor(Level.WARN)) {
            logger.setLevel(Level.WARN);
        }
        logger.addAppender(appender);
    }

    /** All warnings and errors. */
    public List<String> warnings() {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Those of them that contain {@code part}. */
    public List<String> warnings(String part) {
        return warnings().stream().filter(warning -> warning.contains(part)).toList();
    }

    /** What programs read in those of them that contain {@code part}: the key-values of each that has some. */
    public List<Map<String, Object>> values(String part) {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN)
                        && event.getFormattedMessage().contains(part)
                        && event.getKeyValuePairs() != null)
                .map(event -> event.getKeyValuePairs().stream()
                        .collect(Collectors.toUnmodifiableMap(pair -> pair.key, pair -> pair.value)))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
    }
}
