@NullMarked
package dev.retier.iwarp;

import org.jspecify.annotations.NullMarked;
