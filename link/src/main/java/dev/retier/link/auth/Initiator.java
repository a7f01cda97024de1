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

    /** Both sides have proven the secret, and this is what the responder granted. */
    public record Welcomed(Terms terms, ByteBuffer grant) {}

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

    /**
     * The proof, which answers the challenge.
     *
     * @throws BadMessage if the responder is not believed
     */
    public byte[] challenged(byte[] challenge) throws BadMessage {
        ByteBuffer fields = ByteBuffer.wrap(challenge);
        int version = how.version();
        Messages.Header header = Messages.open(fields, Messages.CHALLENGE, Versions.only(version));
        NodeId answering = Messages.node(Messages.nodeValue(fields, version));
        Versions spoken = transcript.isFormer() ? Messages.range(fields) : header.spoken();
        if (!answering.equals(called)) {
            throw new BadMessage(answering + " answers where " + called + " should: check the peer list");
        }
        verify(challenge);
        offer.spoken().refuseDowngrade(version, spoken);
        peer = new Identity(
                answering, fields.position(fields.position() + Short.BYTES).getLong());
        return proof(fields);
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

    /**
     * What the answer to the proof grants.
     *
     * @throws BadMessage if the responder is not believed
     */
    public Welcomed welcomed(byte[] welcome) throws BadMessage {
        ByteBuffer fields = ByteBuffer.wrap(welcome);
        Messages.open(fields, Messages.WELCOME, Versions.only(how.version()));
        int length = transcript.isFormer() ? Handshake.GRANT_BYTES : fields.getInt() & MAX_LENGTH;
        verify(welcome);
        boolean bySecond = !how.secret().equals(offer.secrets().first());
        Terms terms = new Terms(peer, how.version(), right, digest, bySecond);
        return new Welcomed(terms, fields.slice(fields.position(), length));
    }

    private void verify(byte[] message) throws BadMessage {
        if (!transcript.verify(message)) {
            throw new BadMessage(NO_SECRET);
        }
    }
}
