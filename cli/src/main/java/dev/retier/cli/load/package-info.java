/** {@code retier load}: its options, scenarios and results. */
@NullMarked
package dev.retier.cli.load;

import org.jspecify.annotations.NullMarked;
