/** All measurements, one after the other: which records a commit has made stale, and how they are made anew. */
@NullMarked
package dev.retier.bench.all;

import org.jspecify.annotations.NullMarked;
