/** The experiments of the source, E1 to E10, in the simulator. May import all modules. */
@NullMarked
package dev.retier.bench.figures;

import org.jspecify.annotations.NullMarked;
