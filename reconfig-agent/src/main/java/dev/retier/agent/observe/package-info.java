/** Asks servers for their status and publishes the load of the own node. Does network I/O. */
@NullMarked
package dev.retier.agent.observe;

import org.jspecify.annotations.NullMarked;
