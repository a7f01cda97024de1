/** Programs that others wrote, run against ours. */
@NullMarked
package dev.retier.iwarp.interop;

import org.jspecify.annotations.NullMarked;
