/** Options that say which requests: a trace, or how one is made and shaped. */
@NullMarked
package dev.retier.cli.trace.options;

import org.jspecify.annotations.NullMarked;
