/** Placement into registered memory. */
@NullMarked
package dev.retier.iwarp.ddp;

import org.jspecify.annotations.NullMarked;
