/** The agent's own listener: targets for the edge, status, metrics, health. Does network I/O. */
@NullMarked
package dev.retier.agent.http;

import org.jspecify.annotations.NullMarked;
