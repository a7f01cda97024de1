/** An agent with its shared state, put together from one configuration. */
@NullMarked
package dev.retier.cli.node;

import org.jspecify.annotations.NullMarked;
