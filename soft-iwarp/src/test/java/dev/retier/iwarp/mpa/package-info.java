@NullMarked
package dev.retier.iwarp.mpa;

import org.jspecify.annotations.NullMarked;
