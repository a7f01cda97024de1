package dev.retier.iwarp.memory;

/**
 * Who wants to touch memory.
 *
 * @param stream the queue pair's number, above 0
 * @param domain its protection domain
 */
public record StreamIdentity(int stream, int domain) {}
