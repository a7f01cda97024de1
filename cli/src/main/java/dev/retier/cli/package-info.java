/**
 * {@code retier}: its parser, what all sub-commands share, and the ends of a process. Each group of commands has a
 * package of its own.
 */
@NullMarked
package dev.retier.cli;

import org.jspecify.annotations.NullMarked;
