/**
 * Brings target lists in: from a fixed list, a file, or agents over HTTP. May import the JDK and
 * {@code dev.retier.load.target}.
 */
@NullMarked
package dev.retier.load.target.source;

import org.jspecify.annotations.NullMarked;
