package dev.retier.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;

/** How much retier itself logs on standard error, and how; libraries log their warnings. */
public final class Logging {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.cli");

    private static volatile LogFormat format = LogFormat.TEXT;

    private Logging() {}

    /** Down to single connections. */
    static void debug() {
        set(Level.DEBUG);
    }

    /** Only what a person must act on: for a command that itself shows what happens. */
    public static void errorsOnly() {
        set(Level.ERROR);
    }

    private static void set(Level level) {
        if (LoggerFactory.getLogger("dev.retier") instanceof ch.qos.logback.classic.Logger logger) {
            logger.setLevel(level);
        }
    }

    /** From now on; a configuration file of logback's keeps its own. */
    static void format(LogFormat wanted) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(LogConfiguration.APPENDER)
                        instanceof ConsoleAppender<ILoggingEvent> appender) {
            appender.setEncoder(LogConfiguration.encoder(context, wanted));
        }
        format = wanted;
    }

    /**
     * Says on standard output what a command that goes on running has begun to do; where logs are JSON it is a line of
     * the log, so that all that such a command says can be parsed.
     */
    public static void begun(CommandSpec spec, String what) {
        if (format == LogFormat.JSON) {
            LOG.info("{}", what);
        } else {
            spec.commandLine().getOut().println(what);
            spec.commandLine().getOut().flush();
        }
    }

    /** Says on {@code err} why a command has failed, or in the log where that is JSON. */
    static void failed(PrintWriter err, List<String> lines, Optional<Exception> stack) {
        if (format == LogFormat.JSON) {
            LOG.error("{}", String.join("; ", lines), stack.orElse(null));
            return;
        }
        lines.forEach(line -> err.println("retier: " + line));
        stack.ifPresent(failure -> failure.printStackTrace(err));
    }
}
