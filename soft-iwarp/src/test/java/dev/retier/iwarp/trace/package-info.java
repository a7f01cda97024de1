@NullMarked
package dev.retier.iwarp.trace;

import org.jspecify.annotations.NullMarked;
