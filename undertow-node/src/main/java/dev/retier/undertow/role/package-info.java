/**
 * The file by which an agent gives a node its role, as a value, and its strict parser. Pure: text in, a value or the
 * full list of problems out; no files, clocks or threads. May import dev.retier.config alone.
 */
@NullMarked
package dev.retier.undertow.role;

import org.jspecify.annotations.NullMarked;
