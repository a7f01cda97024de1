/** What the packages are, and what they do on a machine. */
@NullMarked
package dev.retier.dist;

import org.jspecify.annotations.NullMarked;
