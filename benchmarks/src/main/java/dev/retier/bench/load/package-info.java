/** The load generator beside its peers, against itself in open loop, and its reading of World Cup logs. */
@NullMarked
package dev.retier.bench.load;

import org.jspecify.annotations.NullMarked;
