@NullMarked
package dev.retier.iwarp.verbs;

import org.jspecify.annotations.NullMarked;
