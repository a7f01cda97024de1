/**
 * What a region is (its name, shape, permissions), who keeps its name, who holds which part, and who has mapped it:
 * values, and three state machines that take messages and give messages. Same input, same output; a {@link
 * dev.retier.fabric.directory.Reaction} says what the caller must do next. Pure: no sockets, threads, clocks or
 * loggers. May import {@code dev.retier.link} and the JDK.
 */
@NullMarked
package dev.retier.fabric.directory;

import org.jspecify.annotations.NullMarked;
