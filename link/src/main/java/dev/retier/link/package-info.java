/**
 * Authenticated connections between the nodes of a cell over DiSNI's verbs: who connects to whom, the handshake, queue
 * pairs, completions, one-sided operations, back-off. May import DiSNI and {@code dev.retier.verbs}.
 */
@NullMarked
package dev.retier.link;

import org.jspecify.annotations.NullMarked;
