package dev.retier.fabric.locks.protocol;

/**
 * A lock that was won.
 *
 * @param request whose it is
 * @param token higher than that of every earlier holder: what the lock protects refuses a lower one than it has seen
 */
public record TicketGrant(long request, long token) {}
