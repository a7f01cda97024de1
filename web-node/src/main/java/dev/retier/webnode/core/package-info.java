/**
 * The decisions of a web-node: emulated capacity, caching, request classes, synthetic content. Pure: time
 * comes in as an argument; no sockets, files, threads, clocks or loggers. May import the JDK and JSpecify only.
 */
@NullMarked
package dev.retier.webnode.core;

import org.jspecify.annotations.NullMarked;
