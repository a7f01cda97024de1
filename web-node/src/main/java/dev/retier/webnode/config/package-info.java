/**
 * The operator's settings of a web-node as a value, and their strict parser. Pure: text in, a value or the full list of
 * problems out; no files, clocks or threads. May import dev.retier.config and the values of dev.retier.undertow only.
 */
@NullMarked
package dev.retier.webnode.config;

import org.jspecify.annotations.NullMarked;
