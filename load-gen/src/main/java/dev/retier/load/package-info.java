/** Traces in, requests out, honest latency. */
@NullMarked
package dev.retier.load;

import org.jspecify.annotations.NullMarked;
