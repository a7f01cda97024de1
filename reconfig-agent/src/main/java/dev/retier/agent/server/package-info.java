/**
 * The server beside an agent, or at the edge: asks it, installs its generated file, makes it reload, and proves what it
 * runs. Runs threads, processes and sockets.
 */
@NullMarked
package dev.retier.agent.server;

import org.jspecify.annotations.NullMarked;
