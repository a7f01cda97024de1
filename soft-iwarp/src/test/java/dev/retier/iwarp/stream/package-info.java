@NullMarked
package dev.retier.iwarp.stream;

import org.jspecify.annotations.NullMarked;
