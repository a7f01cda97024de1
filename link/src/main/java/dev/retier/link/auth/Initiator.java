package dev.retier.link.auth;

import dev.retier.link.NodeId;
import java.nio.ByteBuffer;

/**
 * The side that connected: says who it is, checks that the other knows the secret, proves that it does too, and
 * learns where the other's memory is. In version 3 its first message proves the secret. One object per connection; not
 * thread-safe.
 */
public final class Initiator {
    /** Of a grant, as its field has it behind two reserved bytes. */
    private static final int MAX_LENGTH = 0xFFFF;

    private static final String NO_SECRET =
            "it does not prove the cluster secret: check that both nodes read the same one";

    private final Offer offer;
    private final Try how;
    private final NodeId called;
    private final Right right;
    private final Transcript transcript;
    private Identity peer;
    private ByteBuffer digest = ByteBuffer.allocate(Handshake.DIGEST_BYTES);

    /** One way to begin: a version, and one of the secrets. */
    public record Try(int version, ClusterSecret secret) {}

    /**
     * An initiator that has said nothing yet, and will ask for the first of the offer's rights.
     *
     * @param called the node that should answer
     */
    public Initiator(Offer offer, Try how, NodeId called) {
        this.offer = offer;
        this.how = how;
        this.called = called;
        this.right = offer.rights().getFirst();
        this.transcript =
                new Transcript(how.version(), offer.spoken(), how.secret().keyFor(right, how.version()));
        this.peer = new Identity(called, 0);
    }

    /**
     * The first message.
     *
     * @param nonce {@value Messages#NONCE_LENGTH_BYTES} unpredictable bytes, never used before
     */
    public byte[] hello(byte[] nonce) {
        int version = how.version();
        ByteBuffer fields = transcript.begin(Messages.HELLO, right.code(), 0);
        Messages.putNode(fields, version, offer.self().node().value());
        Messages.putNode(fields, version, called.value());
        fields.putLong(offer.self().incarnation()).put(nonce, 0, Messages.NONCE_LENGTH_BYTES);
        return transcript.sealed(fields);
    }

    /** Judges the answer to {@link #hello}: {@link Handshake.Send} or {@link Handshake.Refused}. */
    public Handshake challenged(byte[] challenge) {
        try {
            ByteBuffer fields = ByteBuffer.wrap(challenge);
            int version = how.version();
            Messages.Header header = Messages.open(fields, Messages.CHALLENGE, Versions.only(version));
            NodeId answering = Messages.node(Messages.nodeValue(fields, version));
            Versions spoken = transcript.isFormer() ? Messages.range(fields) : header.spoken();
            if (!answering.equals(called)) {
                return new Handshake.Refused(answering + " answers where " + called + " should: check the peer list");
            }
            verify(challenge);
            offer.spoken().refuseDowngrade(version, spoken);
            peer = new Identity(
                    answering, fields.position(fields.position() + Short.BYTES).getLong());
            return Handshake.Send.of(proof(fields));
        } catch (BadMessage refusal) {
            return new Handshake.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    private byte[] proof(ByteBuffer behindIncarnation) {
        ByteBuffer proof = transcript.begin(Messages.PROOF, 0, 0);
        if (!transcript.isFormer()) {
            digest = behindIncarnation.slice(
                    behindIncarnation.position() + Messages.NONCE_LENGTH_BYTES, Handshake.DIGEST_BYTES);
            proof.putInt(0).put(offer.digest().duplicate());
        }
        return transcript.sealed(proof);
    }

    /** Judges the answer to the proof: {@link Handshake.Welcomed} or {@link Handshake.Refused}. */
    public Handshake welcomed(byte[] welcome) {
        try {
            ByteBuffer fields = ByteBuffer.wrap(welcome);
            Messages.open(fields, Messages.WELCOME, Versions.only(how.version()));
            int length = transcript.isFormer() ? Handshake.GRANT_BYTES : fields.getInt() & MAX_LENGTH;
            verify(welcome);
            boolean byFormer = !how.secret().equals(offer.secrets().current());
            Terms terms = new Terms(peer, how.version(), right, digest, byFormer);
            return new Handshake.Welcomed(terms, fields.slice(fields.position(), length));
        } catch (BadMessage refusal) {
            return new Handshake.Refused(String.valueOf(refusal.getMessage()));
        }
    }

    private void verify(byte[] message) throws BadMessage {
        if (!transcript.verify(message)) {
            throw new BadMessage(NO_SECRET);
        }
    }
}
