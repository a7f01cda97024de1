package dev.retier.link.auth;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a node brings to every handshake.
 *
 * @param self who it is
 * @param secrets what it proves and accepts
 * @param spoken the versions that it speaks
 * @param rights what it serves; the first is what it asks for
 * @param digest of its configuration, {@value Handshake#DIGEST_BYTES} bytes
 */
public record Offer(Identity self, Secrets secrets, Versions spoken, List<Right> rights, ByteBuffer digest) {
    /** Copies the list; refuses a digest of another length with {@link IllegalArgumentException}. */
    public Offer {
        rights = List.copyOf(rights);
        if (digest.remaining() != Handshake.DIGEST_BYTES) {
            throw new IllegalArgumentException("a digest of " + digest.remaining() + " bytes");
        }
    }
}
