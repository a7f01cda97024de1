/**
 * What a node does about its connections, decided: the life of a link to a peer and of one from a peer, who is let in,
 * which of two agents with one id counts, and what is worth a line of log. State machines (event, now) -> effects,
 * stepped by the drivers in {@code dev.retier.link} and by tests alike. Pure: time, randomness and bytes come in as
 * arguments. May import {@code dev.retier.link.auth} and {@code NodeId}.
 */
@NullMarked
package dev.retier.link.core;

import org.jspecify.annotations.NullMarked;
