/** What block caches would have had of a recorded volume. Pure. May import volume-store's pure packages, and report. */
@NullMarked
package dev.retier.sim.blocks;

import org.jspecify.annotations.NullMarked;
