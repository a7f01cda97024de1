/**
 * Bookkeeping of a run: what was sent, answered, failed and dropped, when, and how long it took.
 *
 * <p>Pure: time comes in as nanoseconds since the start of the run. May import the JDK, HdrHistogram, and
 * {@code dev.retier.traces}.
 */
@NullMarked
package dev.retier.load.measure;

import org.jspecify.annotations.NullMarked;
