/** What the size of a cluster costs: looks, bytes, and the time until it has settled. */
@NullMarked
package dev.retier.bench.scale;

import org.jspecify.annotations.NullMarked;
