package dev.retier.state.auth;

import dev.retier.state.NodeId;
import java.nio.ByteBuffer;

/**
 * The side that connected: says who it is, checks that the other knows the secret, proves that it does too, and
 * learns where the other's memory is. One object per connection; not thread-safe.
 */
public final class Initiator {
    private static final String NO_SECRET =
            "it does not prove the cluster secret: check that both nodes read the same one";

    private final Transcript transcript;
    private final Identity self;
    private final NodeId called;
    private final Rights rights;
    private Identity peer;

    /**
     * An initiator that has said nothing yet.
     *
     * @param secret tells what to ask for, too
     * @param called the node that should answer
     */
    public Initiator(ClusterSecret secret, Identity self, NodeId called) {
        this.transcript = new Transcript(secret);
        this.self = self;
        this.called = called;
        this.rights = secret.rights();
        this.peer = new Identity(called, 0);
    }

    /**
     * The first message.
     *
     * @param nonce {@value Messages#NONCE_LENGTH_BYTES} unpredictable bytes, never used before
     */
    public byte[] hello(byte[] nonce) {
        byte[] hello = Messages.begin(Messages.HELLO, rights.code(), Messages.HELLO_LENGTH_BYTES)
                .putInt(self.node().value())
                .putInt(called.value())
                .putLong(self.incarnation())
                .put(nonce, 0, Messages.NONCE_LENGTH_BYTES)
                .array();
        transcript.add(hello);
        return hello;
    }

    /** Judges the answer to {@link #hello}: {@link Handshake.Send} or {@link Handshake.Refused}. */
    public Handshake challenged(byte[] challenge) {
        try {
            ByteBuffer fields = Messages.open(challenge, Messages.CHALLENGE, Messages.CHALLENGE_LENGTH_BYTES);
            NodeId answering = Messages.node(fields.getInt());
            if (!answering.equals(called)) {
                return new Handshake.Refused(answering + " answers where " + called + " should: check the peer list");
            }
            transcript.verify(challenge, Messages.CHALLENGE, NO_SECRET);
            peer = new Identity(answering, incarnation(fields));
            byte[] proof = Messages.begin(Messages.PROOF, (byte) 0, Messages.PROOF_LENGTH_BYTES)
                    .array();
            return Handshake.Send.of(transcript.sealed(proof, Messages.PROOF));
        } catch (BadMessage refusal) {
            return new Handshake.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    /** Judges the answer to the proof: {@link Handshake.Welcomed} or {@link Handshake.Refused}. */
    public Handshake welcomed(byte[] welcome) {
        try {
            ByteBuffer fields = Messages.open(welcome, Messages.WELCOME, Messages.WELCOME_LENGTH_BYTES);
            transcript.verify(welcome, Messages.WELCOME, NO_SECRET);
            return new Handshake.Welcomed(peer, fields.slice(fields.position(), Handshake.GRANT_BYTES));
        } catch (BadMessage refusal) {
            return new Handshake.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    private static long incarnation(ByteBuffer afterNode) {
        return afterNode.getLong(afterNode.position() + Integer.BYTES);
    }
}
