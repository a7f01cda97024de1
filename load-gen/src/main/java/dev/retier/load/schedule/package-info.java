/**
 * When requests are due. Pure: times are nanoseconds since the start of the run. May import the JDK and
 * {@code dev.retier.traces}.
 */
@NullMarked
package dev.retier.load.schedule;

import org.jspecify.annotations.NullMarked;
