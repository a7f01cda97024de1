/** What the processes of {@code retier fabric} do together over a fabric: a counter, a queue. Knows no command line. */
@NullMarked
package dev.retier.cli.fabric;

import org.jspecify.annotations.NullMarked;
