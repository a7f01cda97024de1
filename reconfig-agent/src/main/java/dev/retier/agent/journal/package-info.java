/** The journal of moves on disk: appended, forced, bounded, read again at start. Does file I/O. */
@NullMarked
package dev.retier.agent.journal;

import org.jspecify.annotations.NullMarked;
