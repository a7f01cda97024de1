package dev.retier.state.auth;

import dev.retier.state.NodeId;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The side that was connected to: proves that it knows the secret, and reveals where its memory is once the other has
 * proven it too. One object per connection, so a replayed proof meets another nonce and is refused. Not thread-safe.
 */
public final class Responder {
    private final ClusterSecret secret;
    private final Identity self;
    private Transcript transcript;
    private @Nullable Identity claimed;
    private Rights rights = Rights.VIEWER;

    /** A responder that has heard nothing yet; {@code secret} is a member's. */
    public Responder(ClusterSecret secret, Identity self) {
        this.secret = secret;
        this.transcript = new Transcript(secret);
        this.self = self;
    }

    /**
     * Judges the first message: {@link Handshake.Send} or {@link Handshake.Refused}.
     *
     * @param nonce {@value Messages#NONCE_LENGTH_BYTES} unpredictable bytes, never used before
     */
    public Handshake greeted(byte[] hello, byte[] nonce) {
        try {
            ByteBuffer fields = Messages.open(hello, Messages.HELLO, Messages.HELLO_LENGTH_BYTES);
            rights = Messages.rights(hello);
            NodeId from = Messages.node(fields.getInt());
            int called = fields.getInt();
            if (called != self.node().value()) {
                return new Handshake.Refused(from + " calls node-" + called + " here: check its peer list");
            }
            claimed = new Identity(from, fields.getLong());
            transcript = new Transcript(secret.keyFor(rights));
            transcript.add(hello);
            return Handshake.Send.of(transcript.sealed(challenge(nonce), Messages.CHALLENGE));
        } catch (BadMessage refusal) {
            return new Handshake.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    /** Judges the answer to the challenge: {@link Handshake.Proven} or {@link Handshake.Refused}. */
    public Handshake proven(byte[] proof) {
        Identity peer = claimed;
        if (peer == null) {
            throw new IllegalStateException("a proof was judged before a greeting");
        }
        try {
            Messages.open(proof, Messages.PROOF, Messages.PROOF_LENGTH_BYTES);
            transcript.verify(
                    proof, Messages.PROOF, peer.node() + " does not prove the cluster secret, or replays an old proof");
            return new Handshake.Proven(peer, rights);
        } catch (BadMessage refusal) {
            return new Handshake.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    /**
     * The last message: tells a proven peer where the memory is. Call only after {@link Handshake.Proven}.
     *
     * @param grant {@value Handshake#GRANT_BYTES} bytes
     */
    public byte[] welcome(byte[] grant) {
        byte[] welcome = Messages.begin(Messages.WELCOME, rights.code(), Messages.WELCOME_LENGTH_BYTES)
                .put(grant, 0, Handshake.GRANT_BYTES)
                .array();
        return transcript.sealed(welcome, Messages.WELCOME);
    }

    private byte[] challenge(byte[] nonce) {
        return Messages.begin(Messages.CHALLENGE, (byte) 0, Messages.CHALLENGE_LENGTH_BYTES)
                .putInt(self.node().value())
                .putInt(0)
                .putLong(self.incarnation())
                .put(nonce, 0, Messages.NONCE_LENGTH_BYTES)
                .array();
    }
}
