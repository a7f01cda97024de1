@NullMarked
package dev.retier.iwarp.net;

import org.jspecify.annotations.NullMarked;
