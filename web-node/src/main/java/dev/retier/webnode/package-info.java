/** A small Undertow server that is proxy or app as its configuration file says. */
@NullMarked
package dev.retier.webnode;

import org.jspecify.annotations.NullMarked;
