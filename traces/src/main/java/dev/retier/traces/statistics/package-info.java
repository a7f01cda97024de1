/** What a trace is like: rates, burstiness, popularity. Pure. */
@NullMarked
package dev.retier.traces.statistics;

import org.jspecify.annotations.NullMarked;
