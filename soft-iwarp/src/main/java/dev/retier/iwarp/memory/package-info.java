/**
 * Registered memory: regions, the STag table, and the access check (RFC 5041 section 5, RFC 5042).
 * Pure: no sockets, threads, clocks or loggers; randomness comes in as an argument. May import the JDK only.
 */
@NullMarked
package dev.retier.iwarp.memory;

import org.jspecify.annotations.NullMarked;
