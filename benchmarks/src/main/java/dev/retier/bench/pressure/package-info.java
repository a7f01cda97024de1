/** What presses a real server whose processor is idle. */
@NullMarked
package dev.retier.bench.pressure;

import org.jspecify.annotations.NullMarked;
