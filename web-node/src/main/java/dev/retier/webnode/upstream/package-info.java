/** A proxy's way to its app nodes: connections, retries, benching. May import config, core, measure, Undertow. */
@NullMarked
package dev.retier.webnode.upstream;

import org.jspecify.annotations.NullMarked;
