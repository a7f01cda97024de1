/**
 * The two files of a web-node as values, and their strict parsers. Pure: text in, a value or the full list of
 * problems out; no files, clocks or threads. May import the JDK, dev.retier.config and JSpecify only.
 */
@NullMarked
package dev.retier.webnode.config;

import org.jspecify.annotations.NullMarked;
