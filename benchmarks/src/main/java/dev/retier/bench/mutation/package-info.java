/** How many planted bugs the unit tests find: PIT on the packages that the parent POM lists. */
@NullMarked
package dev.retier.bench.mutation;

import org.jspecify.annotations.NullMarked;
