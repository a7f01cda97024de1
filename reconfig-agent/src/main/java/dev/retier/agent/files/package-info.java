/** Reads what an operator wrote: the cluster file and the secret. Does file I/O. */
@NullMarked
package dev.retier.agent.files;

import org.jspecify.annotations.NullMarked;
