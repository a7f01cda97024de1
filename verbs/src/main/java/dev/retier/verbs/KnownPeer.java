package dev.retier.verbs;

/**
 * What a provider's {@code RdmaCmId} may implement: told that the peer which it is about to connect to runs this
 * project's own software, so that the start-up of the connection may carry what only that understands. Whom a program
 * has said nothing of is a stranger, and finds no byte in its private data that the program has not given. A provider
 * may have no use for it, so ask first:
 *
 * <pre>{@code
 * if (id instanceof KnownPeer known) {
 *     known.peerIsKnown();
 * }
 * }</pre>
 */
public interface KnownPeer {
    /** The peer is of our kind. Before {@code connect}; by any thread. */
    void peerIsKnown();
}
