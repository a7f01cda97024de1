@NullMarked
package dev.retier.iwarp.wire;

import org.jspecify.annotations.NullMarked;
