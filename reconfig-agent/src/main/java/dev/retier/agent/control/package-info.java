/** The control socket of an agent, both ends of it. Does socket and file I/O, and has threads. */
@NullMarked
package dev.retier.agent.control;

import org.jspecify.annotations.NullMarked;
