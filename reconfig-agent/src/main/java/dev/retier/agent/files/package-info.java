/** Reads what an operator wrote. Does file I/O. */
@NullMarked
package dev.retier.agent.files;

import org.jspecify.annotations.NullMarked;
