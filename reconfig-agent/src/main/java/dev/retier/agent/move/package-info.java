/**
 * The two state machines of a move: the mover, which orders it, and the victim, which carries it out. Pure: events and
 * times come in, effects go out as values; drivers carry them out and feed the answers back. May import {@code
 * dev.retier.state} values, {@code view}, {@code decide}, {@code status} and {@code config} only.
 */
@NullMarked
package dev.retier.agent.move;

import org.jspecify.annotations.NullMarked;
