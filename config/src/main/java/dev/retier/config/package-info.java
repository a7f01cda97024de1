/**
 * Configuration files, YAML or JSON, as values with their lines; and how people write addresses and durations. Pure:
 * text in, a value or the full list of problems out; no files, clocks or threads. May import the JDK, Jackson and
 * JSpecify only.
 */
@NullMarked
package dev.retier.config;

import org.jspecify.annotations.NullMarked;
