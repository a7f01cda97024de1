/** {@code ./retier bench rpc}: calls of the shared state's fabric beside request and answer over plain TCP. */
@NullMarked
package dev.retier.bench.rpc;

import org.jspecify.annotations.NullMarked;
