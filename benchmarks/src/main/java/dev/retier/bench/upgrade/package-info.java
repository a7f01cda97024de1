/** Whether agents of two commits form one cell: an older one is built beside this checkout, and both run. */
@NullMarked
package dev.retier.bench.upgrade;

import org.jspecify.annotations.NullMarked;
