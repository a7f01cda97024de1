/**
 * Pure: what the terminal shows while a data-center runs. No terminal, no clock; may import {@code grid} and the JDK
 * only.
 */
@NullMarked
package dev.retier.cli.view;

import org.jspecify.annotations.NullMarked;
