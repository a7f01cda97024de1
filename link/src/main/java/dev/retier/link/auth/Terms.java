package dev.retier.link.auth;

import java.nio.ByteBuffer;

/**
 * What both sides of a handshake know once both have proven the secret.
 *
 * @param peer who is at the other end
 * @param version of the handshake
 * @param right what the connection may do
 * @param digest of the peer's configuration, as its upper layer gave it: {@value Handshake#DIGEST_BYTES} bytes; zeroes
 *     if there is none, or the version is too old to tell
 * @param bySecondSecret whether not the first of this node's two secrets was proven, but the second
 */
public record Terms(Identity peer, int version, Right right, ByteBuffer digest, boolean bySecondSecret) {}
