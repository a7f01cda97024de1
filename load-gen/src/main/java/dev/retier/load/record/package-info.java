/**
 * Every request of a run as a line of a file, for those who would rather compute the figures themselves. Lines are
 * never dropped: a disk that cannot keep up ends the run.
 */
@NullMarked
package dev.retier.load.record;

import org.jspecify.annotations.NullMarked;
