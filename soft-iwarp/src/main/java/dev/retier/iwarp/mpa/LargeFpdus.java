package dev.retier.iwarp.mpa;

/** Whom an initiator offers FPDUs that are longer than a segment of TCP, by a {@link LargeUlpduOffer}. */
public enum LargeFpdus {
    /** Nobody; an offer of the peer's is not taken either. */
    NEVER,
    /** Peers that the program knows to be of our kind: a stranger's program finds no bytes of ours behind its own. */
    TO_KNOWN,
    /** Everybody. */
    ALWAYS
}
