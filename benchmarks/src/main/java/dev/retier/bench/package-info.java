/** {@code ./retier bench}: one sub-command per measurement, and how its results are kept. */
@NullMarked
package dev.retier.bench;

import org.jspecify.annotations.NullMarked;
