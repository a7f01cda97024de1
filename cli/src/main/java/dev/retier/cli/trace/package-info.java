/** {@code retier trace}. */
@NullMarked
package dev.retier.cli.trace;

import org.jspecify.annotations.NullMarked;
