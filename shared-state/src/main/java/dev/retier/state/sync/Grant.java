package dev.retier.state.sync;

/**
 * A lock that was won.
 *
 * @param request whose it is
 * @param token higher than that of every earlier holder: what the lock protects refuses a lower one than it has seen
 */
public record Grant(long request, long token) {}
