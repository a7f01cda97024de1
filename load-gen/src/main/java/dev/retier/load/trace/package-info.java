/**
 * Traces: readers of web logs and seeded generators, all yielding {@link dev.retier.load.trace.TraceEvent}.
 *
 * <p>Pure: bytes come in as arrays or an {@code InputStream} that the caller opened, events go out; no files, sockets,
 * threads, clocks, or unseeded randomness. May import the JDK and {@code dev.retier.load}.
 */
@NullMarked
package dev.retier.load.trace;

import org.jspecify.annotations.NullMarked;
