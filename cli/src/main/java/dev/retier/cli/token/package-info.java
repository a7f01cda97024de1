/** {@code retier token}: what callers of agents show who have no certificate. Writes files at most. */
@NullMarked
package dev.retier.cli.token;

import org.jspecify.annotations.NullMarked;
