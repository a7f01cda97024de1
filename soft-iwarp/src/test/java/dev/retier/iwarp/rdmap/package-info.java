@NullMarked
package dev.retier.iwarp.rdmap;

import org.jspecify.annotations.NullMarked;
