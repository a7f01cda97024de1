/** Simulated runs as a page to look at. Pure. May import {@code dev.retier.sim} and {@code dev.retier.report}. */
@NullMarked
package dev.retier.sim.page;

import org.jspecify.annotations.NullMarked;
