/**
 * A proxy's way to its app nodes: the choice among them, connections, retries, benching. May import role, status,
 * dev.retier.balance, Undertow.
 */
@NullMarked
package dev.retier.undertow.upstream;

import org.jspecify.annotations.NullMarked;
