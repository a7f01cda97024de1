package dev.retier.iwarp.mpa;

/** The zero-length messages that say ready-to-receive (RFC 6581 section 6), in order of preference. */
public enum RtrKind {
    /** A zero-length RDMA Write, bit C. First choice of Linux siw, too. */
    WRITE,
    /** A zero-length RDMA Read, bit D. */
    READ,
    /** A zero-length Send, bit B. */
    SEND
}
