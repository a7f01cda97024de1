/**
 * How a pool keeps volumes: the journal, its index, clusters and maps, as values and bytes. Pure: no files, threads or
 * clocks. May import the JDK, JSpecify and {@link dev.retier.volume}.
 */
@NullMarked
package dev.retier.volume.pool;

import org.jspecify.annotations.NullMarked;
