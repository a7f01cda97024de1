/** Traces as lines of text: the Common Log Format, CSV, {@code time id size} and counts per interval. Pure. */
@NullMarked
package dev.retier.traces.text;

import org.jspecify.annotations.NullMarked;
