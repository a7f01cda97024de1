/**
 * Named regions of memory that any node of a cell can map and use by one-sided operations. Values and interfaces only:
 * no sockets, threads, clocks or loggers. May import {@code dev.retier.state} and the JDK.
 */
@NullMarked
package dev.retier.state.region;

import org.jspecify.annotations.NullMarked;
