/**
 * Traces: what a web site was asked for, and when. Every format, log and generator yields {@link
 * dev.retier.traces.TraceEvent}s, so that load generator, simulator and benchmarks play the same.
 *
 * <p>Pure: bytes come in as arrays or an {@code InputStream} that the caller opened, events go out; no files, sockets,
 * threads, clocks, or unseeded randomness. Only {@code dev.retier.traces.file} opens files.
 */
@NullMarked
package dev.retier.traces;

import org.jspecify.annotations.NullMarked;
