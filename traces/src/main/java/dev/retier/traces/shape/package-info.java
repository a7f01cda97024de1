/** Traces made of other traces: speed, rate, stretches, repeats, merged and placed events. Pure. */
@NullMarked
package dev.retier.traces.shape;

import org.jspecify.annotations.NullMarked;
