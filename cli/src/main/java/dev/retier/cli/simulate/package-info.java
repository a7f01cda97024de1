/** {@code retier simulate}. */
@NullMarked
package dev.retier.cli.simulate;

import org.jspecify.annotations.NullMarked;
