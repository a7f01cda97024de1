package dev.retier.state.auth;

import java.nio.ByteBuffer;

/** What a side of the handshake does next. */
public sealed interface Handshake {
    /** The longest message of the handshake in bytes. */
    int MAX_MESSAGE_BYTES = 128;

    /** The length of what a WELCOME grants: places and keys, whose meaning depends on the rights. */
    int GRANT_BYTES = 32;

    /** Send this and wait for the answer. */
    record Send(ByteBuffer message) implements Handshake {
        static Send of(byte[] message) {
            return new Send(ByteBuffer.wrap(message).asReadOnlyBuffer());
        }
    }

    /**
     * Responder only: the peer has proven the secret. Register memory for it, then {@link Responder#welcome}.
     */
    record Proven(Identity peer, Rights rights) implements Handshake {}

    /** Initiator only: both sides have proven the secret, and this is what the responder granted. */
    record Welcomed(Identity peer, ByteBuffer grant) implements Handshake {}

    /** Close the connection. The reason is for the log and contains no secret. */
    record Refused(String reason) implements Handshake {}
}
