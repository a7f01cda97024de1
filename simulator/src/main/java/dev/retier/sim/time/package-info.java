/** Virtual time: what is due when. Pure. May import the JDK only. */
@NullMarked
package dev.retier.sim.time;

import org.jspecify.annotations.NullMarked;
