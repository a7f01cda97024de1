/** Answers of app nodes, read whole. May import config, core, dev.retier.undertow, Undertow. */
@NullMarked
package dev.retier.webnode.upstream;

import org.jspecify.annotations.NullMarked;
