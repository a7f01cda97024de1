/**
 * Which provider of DiSNI's verbs API a process uses: chosen by name among those on the class path. Beside it stand the
 * substitutes for three of DiSNI's classes, so this is the one jar that must come before disni's. May import DiSNI.
 */
@NullMarked
package dev.retier.verbs;

import org.jspecify.annotations.NullMarked;
