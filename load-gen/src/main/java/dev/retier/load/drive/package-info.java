/**
 * Drives a run: event loops, connections, clients, the clock. May import everything in this module, and Netty.
 *
 * <p>Start with {@link dev.retier.load.drive.LoadRun}.
 */
@NullMarked
package dev.retier.load.drive;

import org.jspecify.annotations.NullMarked;
