/** A node of retier in any Undertow program: its handler, its life, its admin pages. May import everything below it. */
@NullMarked
package dev.retier.undertow;

import org.jspecify.annotations.NullMarked;
