/**
 * Pure: what a terminal shows as a grid of cells, and what to send so that it shows another. No terminal, no clock;
 * may import {@code report} and the JDK only.
 */
@NullMarked
package dev.retier.cli.grid;

import org.jspecify.annotations.NullMarked;
