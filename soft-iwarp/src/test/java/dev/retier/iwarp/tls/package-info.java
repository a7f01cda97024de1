@NullMarked
package dev.retier.iwarp.tls;

import org.jspecify.annotations.NullMarked;
