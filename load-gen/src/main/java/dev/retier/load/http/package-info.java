/**
 * HTTP/1.1 as a load generator needs it: request heads out, response framing in (RFC 9112).
 *
 * <p>Pure: bytes in, verdicts out; no sockets, threads, or clocks. May import the JDK, Netty's buffers (not its
 * channels), and {@code dev.retier.traces}.
 */
@NullMarked
package dev.retier.load.http;

import org.jspecify.annotations.NullMarked;
