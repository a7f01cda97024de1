package dev.retier.state.lock;

/**
 * A compare-and-swap that a decision asks for on one witness's replica.
 *
 * @param witness index of the witness, from 0
 */
public record Swap(int witness, LockWord expected, LockWord next) {}
