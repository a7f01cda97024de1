/** {@code retier secret}: the file by which the agents of a cell know each other. */
@NullMarked
package dev.retier.cli.secret;

import org.jspecify.annotations.NullMarked;
