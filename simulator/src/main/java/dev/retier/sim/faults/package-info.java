/**
 * Whole clusters under faults, one world per seed: what must never be, and that all comes to rest once the faults stop.
 * Pure. May import {@code dev.retier.sim.cluster}, {@code service}, {@code model} and {@code time}, and what they may.
 */
@NullMarked
package dev.retier.sim.faults;

import org.jspecify.annotations.NullMarked;
