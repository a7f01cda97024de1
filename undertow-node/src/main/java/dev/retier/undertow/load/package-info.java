/** How busy a node is. May import XNIO alone. */
@NullMarked
package dev.retier.undertow.load;

import org.jspecify.annotations.NullMarked;
