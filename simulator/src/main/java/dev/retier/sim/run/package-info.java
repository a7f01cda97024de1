/**
 * Whole simulated runs: one data-center, one load, and the ways to run it side by side. Pure. May import all other
 * packages of {@code dev.retier.sim}, and {@code dev.retier.report}.
 */
@NullMarked
package dev.retier.sim.run;

import org.jspecify.annotations.NullMarked;
