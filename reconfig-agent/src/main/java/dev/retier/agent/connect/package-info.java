/** Opens the shared state over verbs as the cluster file says. Does network I/O. */
@NullMarked
package dev.retier.agent.connect;

import org.jspecify.annotations.NullMarked;
