/**
 * The bytes of a slot and the rules for writing and reading them. Pure: memory and time come in as arguments. May
 * import {@code dev.retier.state}, values of {@code dev.retier.link} and the JDK's memory and checksum classes.
 */
@NullMarked
package dev.retier.state.slot;

import org.jspecify.annotations.NullMarked;
