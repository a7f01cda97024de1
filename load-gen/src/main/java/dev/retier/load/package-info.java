/** Traces in, requests out, honest latency. May import the JDK only; the work is in the sub-packages. */
@NullMarked
package dev.retier.load;

import org.jspecify.annotations.NullMarked;
