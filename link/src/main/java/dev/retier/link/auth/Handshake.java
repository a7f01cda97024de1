package dev.retier.link.auth;

/** What is common to both sides of the handshake between an {@link Initiator} and a {@link Responder}. */
public final class Handshake {
    /** The longest message of the handshake in bytes. */
    public static final int MAX_MESSAGE_BYTES = 192;

    /** The length of what a WELCOME of version 2 grants: places and keys, whose meaning depends on the right. */
    public static final int GRANT_BYTES = 32;

    /** The most that a WELCOME of version 3 grants. */
    public static final int MAX_GRANT_BYTES = 128;

    /** The length of the digest of a configuration. */
    public static final int DIGEST_BYTES = 32;

    private Handshake() {}

    /** The message that {@code data} begins with, without zeros behind it; no bytes where all are zeros. */
    public static byte[] unpadded(byte[] data) {
        return Messages.unpadded(data);
    }
}
