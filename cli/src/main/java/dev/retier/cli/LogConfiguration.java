package dev.retier.cli;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * Logs go to standard error, as results go to standard output. In Java and not in XML, as reading XML makes each
 * process load some hundreds of classes that it never needs again. A file named by
 * {@code -Dlogback.configurationFile}, or the tests' own, counts more. Logback finds this class by its service file.
 */
public final class LogConfiguration extends ContextAwareBase implements Configurator {
    /** The name of the one appender. */
    static final String APPENDER = "STDERR";

    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0}: %msg%n";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null
                || LogConfiguration.class.getResource("/" + ClassicConstants.TEST_AUTOCONFIG_FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName(APPENDER);
        appender.setTarget("System.err");
        appender.setEncoder(encoder(context, LogFormat.TEXT));
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.getLogger("dev.retier").setLevel(Level.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** A started one that writes lines so. */
    static Encoder<ILoggingEvent> encoder(LoggerContext context, LogFormat format) {
        Encoder<ILoggingEvent> encoder = switch (format) {
            case TEXT -> {
                PatternLayoutEncoder text = new PatternLayoutEncoder();
                text.setPattern(PATTERN);
                yield text;
            }
            case JSON -> new JsonLines();
        };
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }
}
