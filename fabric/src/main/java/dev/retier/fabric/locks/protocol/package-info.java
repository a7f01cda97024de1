/**
 * Locks and barriers between the nodes of a cell as state machines: who holds what, until when, and under which token.
 * Pure: what was read and when comes in as arguments, operations on remote words and messages go out as values. May
 * import {@code dev.retier.link} and the JDK.
 */
@NullMarked
package dev.retier.fabric.locks.protocol;

import org.jspecify.annotations.NullMarked;
