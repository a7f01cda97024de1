/**
 * A volume as a row of bytes, from its first to its last: brought to a file or a pipe, and taken from one.
 */
@NullMarked
package dev.retier.volume.stream;

import org.jspecify.annotations.NullMarked;
