package dev.retier.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much retier itself logs, on standard error; libraries log their warnings. */
public final class Logging {
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
        if (LoggerFactory.getLogger("dev.retier") instanceof Logger logger) {
            logger.setLevel(level);
        }
    }
}
