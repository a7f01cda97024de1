package dev.retier.link.auth;

import java.nio.ByteBuffer;

/** What a side of the handshake does next. */
public sealed interface Handshake {
    /** The longest message of the handshake in bytes. */
    int MAX_MESSAGE_BYTES = 192;

    /** The longest first message: what the connection set-up of every transport has room for. */
    int MAX_HELLO_BYTES = 56;

    /** The length of what a WELCOME of version 2 grants: places and keys, whose meaning depends on the right. */
    int GRANT_BYTES = 32;

    /** The most that a WELCOME of version 3 grants. */
    int MAX_GRANT_BYTES = 128;

    /** The length of the digest of a configuration. */
    int DIGEST_BYTES = 32;

    /** Send this and wait for the answer. */
    record Send(ByteBuffer message) implements Handshake {
        static Send of(byte[] message) {
            return new Send(ByteBuffer.wrap(message).asReadOnlyBuffer());
        }
    }

    /** Responder only: the peer has proven the secret. Register memory for it, then {@link Responder#welcome}. */
    record Proven(Terms terms) implements Handshake {}

    /** Initiator only: both sides have proven the secret, and this is what the responder granted. */
    record Welcomed(Terms terms, ByteBuffer grant) implements Handshake {}

    /** Close the connection. The reason is for the log and contains no secret. */
    record Refused(String reason) implements Handshake {}
}
