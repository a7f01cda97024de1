/**
 * Many proxies that choose among the same apps by figures that are old: whether they herd. Pure; runs the choice that
 * ships.
 */
@NullMarked
package dev.retier.sim.herd;

import org.jspecify.annotations.NullMarked;
