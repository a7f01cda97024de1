/**
 * The agents of a cluster in virtual time: thin drivers of the decision, the move and the lock that ship, over a
 * simulated fabric. Pure. May import the pure packages of {@code dev.retier.agent} and {@code dev.retier.state}, and
 * {@code dev.retier.sim.time} and {@code service}.
 */
@NullMarked
package dev.retier.sim.cluster;

import org.jspecify.annotations.NullMarked;
