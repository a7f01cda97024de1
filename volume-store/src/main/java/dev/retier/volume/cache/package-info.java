/**
 * Which blocks a server keeps in memory, and which it reads before they are asked for: decisions about numbers, no
 * bytes. Pure: no files, threads or clocks. May import the JDK and JSpecify.
 */
@NullMarked
package dev.retier.volume.cache;

import org.jspecify.annotations.NullMarked;
