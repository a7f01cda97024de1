/** What stands before the proxies: follows the agents' target lists over HTTP. Runs threads and sockets. */
@NullMarked
package dev.retier.agent.edge;

import org.jspecify.annotations.NullMarked;
