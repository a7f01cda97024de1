package dev.retier.cli.trace.options;

import dev.retier.traces.made.Arrivals;

/** Arrivals as the command line names them; a file that they name is read when they are needed. */
@FunctionalInterface
interface NamedArrivals {
    /** The arrivals; {@link IllegalArgumentException} when a file cannot be used. */
    Arrivals read();
}
