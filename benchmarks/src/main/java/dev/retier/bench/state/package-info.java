/** The shared state measured: the move lock's fault search, locks, reads and announcements, age of load figures. */
@NullMarked
package dev.retier.bench.state;

import org.jspecify.annotations.NullMarked;
