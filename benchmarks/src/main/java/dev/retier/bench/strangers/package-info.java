/** What strangers can do to a cell: real agents as processes, and attackers without the secret in this process. */
@NullMarked
package dev.retier.bench.strangers;

import org.jspecify.annotations.NullMarked;
