/** {@code retier fabric}, and what its processes do together over a fabric: a counter, a queue, a barrier. */
@NullMarked
package dev.retier.cli.fabric;

import org.jspecify.annotations.NullMarked;
