/**
 * The move lock with its fencing, and the locks of a fabric, under crashes, restarts, partitions, delays, pauses and
 * clock drift, in virtual time.
 * Pure: everything follows from a seed. May import {@code dev.retier.state} and its pure packages only.
 */
@NullMarked
package dev.retier.sim.locks;

import org.jspecify.annotations.NullMarked;
