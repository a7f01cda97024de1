/**
 * Locks and barriers between the nodes of a cell: who holds what, until when, and under which token. Pure: what was
 * read and when comes in as arguments, operations on remote words and messages go out as values. May import {@code
 * dev.retier.state}.
 */
@NullMarked
package dev.retier.state.sync;

import org.jspecify.annotations.NullMarked;
