/** {@code retier agent}, {@code edge} and {@code web-node}: each put together from one configuration. */
@NullMarked
package dev.retier.cli.node;

import org.jspecify.annotations.NullMarked;
