package dev.retier.state.slot;

/** What a node's heartbeat stands at, in which of its lives: of a slot that was read. */
public record Beat(long incarnation, long heartbeat) {}
