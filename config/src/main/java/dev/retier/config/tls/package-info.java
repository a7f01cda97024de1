/**
 * Keys and certificates in PEM files, for TLS: read, checked against each other, and read again when they change. May
 * import the JDK, {@code dev.retier.config} and JSpecify only; reads files, has no threads.
 */
@NullMarked
package dev.retier.config.tls;

import org.jspecify.annotations.NullMarked;
