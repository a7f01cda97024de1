/**
 * What an operator asks of a running agent, what it answers, and what of it is kept. Pure: text and records come in,
 * text and records go out; {@code control} carries them, {@code daemon} obeys them.
 */
@NullMarked
package dev.retier.agent.command;

import org.jspecify.annotations.NullMarked;
