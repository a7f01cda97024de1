/** Tests of the choice of a provider. */
@NullMarked
package dev.retier.verbs;

import org.jspecify.annotations.NullMarked;
