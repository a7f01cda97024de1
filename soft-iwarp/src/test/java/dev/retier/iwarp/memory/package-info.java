@NullMarked
package dev.retier.iwarp.memory;

import org.jspecify.annotations.NullMarked;
