/** Traces made of numbers: arrivals, popularity, bursts, sites. Seeded, and the same to the byte everywhere. Pure. */
@NullMarked
package dev.retier.traces.made;

import org.jspecify.annotations.NullMarked;
