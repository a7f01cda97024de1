package dev.retier.link.auth;

import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The side that was connected to. In version 3 it says nothing to whoever does not prove the secret with the first
 * message: judging that costs one MAC and no state. In version 2 it proves the secret first. Either way it reveals
 * where its memory is once the other has answered its own nonce, so a replayed message is of no use. One object per
 * connection; not thread-safe.
 */
public final class Responder {
    private final Offer offer;
    private @Nullable Transcript transcript;
    private @Nullable Terms claimed;

    /** A responder that has heard nothing yet. */
    public Responder(Offer offer) {
        this.offer = offer;
    }

    /**
     * The challenge, which answers the first message.
     *
     * @param nonce {@value Messages#NONCE_LENGTH_BYTES} unpredictable bytes, never used before
     * @throws BadMessage if the initiator is not believed
     */
    public byte[] greeted(byte[] hello, byte[] nonce) throws BadMessage {
        ByteBuffer fields = ByteBuffer.wrap(hello);
        Messages.Header header = Messages.open(fields, Messages.HELLO, offer.spoken());
        int version = header.version();
        Right right = right(header.right());
        NodeId from = Messages.node(Messages.nodeValue(fields, version));
        int called = Messages.nodeValue(fields, version);
        if (called != offer.self().node().value()) {
            throw new BadMessage(from + " calls node-" + called + " here: check its peer list");
        }
        ClusterSecret secret = heard(hello, header, right, from);
        if (version != Versions.FORMER) {
            offer.spoken().refuseDowngrade(version, header.spoken());
        }
        boolean bySecond = !secret.equals(offer.secrets().first());
        ByteBuffer none = ByteBuffer.allocate(Handshake.DIGEST_BYTES);
        claimed = new Terms(new Identity(from, fields.getLong()), version, right, none, bySecond);
        return challenge(nonce);
    }

    private Right right(int code) throws BadMessage {
        return offer.rights().stream()
                .filter(served -> served.code() == code)
                .findFirst()
                .orElseThrow(() -> new BadMessage("right " + code + " is asked for, which is not served here"));
    }

    /** Begins the transcript; the secret by which {@code hello} was sealed, or the first if it is not sealed. */
    private ClusterSecret heard(byte[] hello, Messages.Header header, Right right, NodeId from) throws BadMessage {
        for (ClusterSecret secret : offer.secrets().all()) {
            ClusterSecret.Key key = secret.keyFor(right, header.version());
            Transcript begun = new Transcript(header.version(), offer.spoken(), key);
            if ((begun.isFormer() || key.hint() == header.hint()) && begun.verify(hello)) {
                transcript = begun;
                return secret;
            }
        }
        throw new BadMessage(from + " does not prove the cluster secret");
    }

    private byte[] challenge(byte[] nonce) {
        ByteBuffer challenge = said().begin(Messages.CHALLENGE, 0, 0);
        int self = offer.self().node().value();
        if (!said().isFormer()) {
            challenge.putShort((short) self);
        } else if (offer.spoken().highest() > Versions.FORMER) {
            Messages.putRange(challenge.putInt(self), offer.spoken());
        } else {
            challenge.putInt(self).putShort((short) 0);
        }
        challenge.putShort((short) 0).putLong(offer.self().incarnation()).put(nonce, 0, Messages.NONCE_LENGTH_BYTES);
        if (!said().isFormer()) {
            challenge.put(offer.digest().duplicate());
        }
        return said().sealed(challenge);
    }

    /** Who says to be at the other end: true in version 3 once it was greeted, in version 2 once it is proven. */
    public Optional<Terms> claimed() {
        return Optional.ofNullable(claimed);
    }

    /**
     * Who the answer to the challenge proves to be there: register memory for it, then {@link #welcome}.
     *
     * @throws BadMessage if the initiator is not believed
     */
    public Terms proven(byte[] proof) throws BadMessage {
        Terms peer = claimed;
        if (peer == null) {
            throw new IllegalStateException("a proof was judged before a greeting");
        }
        ByteBuffer fields = ByteBuffer.wrap(proof);
        Messages.open(fields, Messages.PROOF, Versions.only(peer.version()));
        if (!said().verify(proof)) {
            throw new BadMessage(peer.peer().node() + " does not prove the cluster secret, or replays an old proof");
        }
        ByteBuffer digest = said().isFormer()
                ? peer.digest()
                : fields.slice(fields.position() + Integer.BYTES, Handshake.DIGEST_BYTES);
        claimed = new Terms(peer.peer(), peer.version(), peer.right(), digest, peer.bySecondSecret());
        return claimed;
    }

    /**
     * The last message: tells a proven peer where the memory is. Call only after {@link #proven}.
     *
     * @param grant {@value Handshake#GRANT_BYTES} bytes in version 2, at most {@value Handshake#MAX_GRANT_BYTES} in
     *     version 3
     */
    public byte[] welcome(byte[] grant) {
        Terms peer = Objects.requireNonNull(claimed, "a welcome before a greeting");
        boolean former = said().isFormer();
        if (former ? grant.length != Handshake.GRANT_BYTES : grant.length > Handshake.MAX_GRANT_BYTES) {
            throw new IllegalArgumentException("a grant of " + grant.length + " bytes");
        }
        ByteBuffer welcome = said().begin(Messages.WELCOME, peer.right().code(), former ? 0 : grant.length);
        if (!former) {
            welcome.putInt(grant.length);
        }
        return said().sealed(welcome.put(grant));
    }

    private Transcript said() {
        return Objects.requireNonNull(transcript, "a greeting comes first");
    }
}
