package dev.retier.iwarp.memory;

/** What the access check says. A value, never an exception: the peer's mistakes are input. */
public enum AccessResult {
    /** The access is within the rights and bounds of the region. */
    GRANTED,
    /** There is no such STag, or it was revoked. */
    INVALID_STAG,
    /** The STag belongs to another protection domain or another stream. */
    NOT_ASSOCIATED,
    /** The region does not grant this kind of access. */
    RIGHTS,
    /** The access begins or ends outside of the region. */
    BOUNDS,
    /** Offset plus length exceeds 64 bits. */
    WRAP
}
