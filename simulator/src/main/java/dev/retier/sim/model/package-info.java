/** Pure: what a data-center can do, by arithmetic. May import the JDK only. */
@NullMarked
package dev.retier.sim.model;

import org.jspecify.annotations.NullMarked;
