/** Draws on the terminal. May import the JDK, {@code dev.retier.cli.view} and {@code dev.retier.report}. */
@NullMarked
package dev.retier.cli.terminal;

import org.jspecify.annotations.NullMarked;
