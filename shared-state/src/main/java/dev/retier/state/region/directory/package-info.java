/**
 * Who keeps which region's name, who holds which part, and who has mapped it: three state machines that take messages
 * and give messages. Same input, same output; a {@link dev.retier.state.region.directory.Step} says what the caller
 * must do next. Pure: no sockets, threads, clocks or loggers. May import {@code dev.retier.state},
 * {@code dev.retier.state.region} and the JDK.
 */
@NullMarked
package dev.retier.state.region.directory;

import org.jspecify.annotations.NullMarked;
