/** HTTP serving: admission, emulated work, origin and proxy. May import config, core, measure, upstream, Undertow. */
@NullMarked
package dev.retier.webnode.serve;

import org.jspecify.annotations.NullMarked;
