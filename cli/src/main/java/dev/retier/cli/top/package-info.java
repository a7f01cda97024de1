/**
 * Pure: what `retier top` shows of an agent's status page. No terminal, no clock, no files; may import {@code grid},
 * {@code report} and Jackson.
 */
@NullMarked
package dev.retier.cli.top;

import org.jspecify.annotations.NullMarked;
