/** The admin listener: metrics beside the node's pages. May import core, measure, dev.retier.undertow, Micrometer. */
@NullMarked
package dev.retier.webnode.admin;

import org.jspecify.annotations.NullMarked;
