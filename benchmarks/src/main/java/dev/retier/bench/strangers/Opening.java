package dev.retier.bench.strangers;

import dev.retier.iwarp.mpa.EnhancedBlock;
import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.link.NodeId;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Initiator;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Right;
import dev.retier.link.auth.Secrets;
import dev.retier.link.auth.Versions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What a stranger says first, before it waits. */
enum Opening {
    /** Nothing. */
    SILENT("connects and is silent"),
    /** An MPA Request without private data. */
    WORDLESS("MPA Request without a word"),
    /** An MPA Request whose private data is no message of a handshake. */
    GARBAGE("MPA Request, garbage for a HELLO"),
    /** A well-formed HELLO of a member, under a secret that the cell does not have. */
    WRONG_SECRET("MPA Request, HELLO under a wrong secret"),
    /** A well-formed HELLO of the former handshake, which proves nothing yet. */
    FORMER("MPA Request, former HELLO");

    private static final int HELLO_BYTES = 40;
    private static final int NONCE_BYTES = 16;
    private static final int DEPTH = 16;
    private static final int REVISION = 2;
    /** What a member asks for. */
    private static final Right MEMBER = new Right(2, "");

    private static final String SECRET = "a secret that no cell has: 0123456789";

    private final String sentence;

    Opening(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }

    /** The bytes, of a caller that says it is node {@code self} and calls node {@code called}. */
    byte[] bytes(int self, int called, Random random) {
        return switch (this) {
            case SILENT -> new byte[0];
            case WORDLESS -> request(new byte[0]);
            case GARBAGE -> request(random(HELLO_BYTES, random));
            case WRONG_SECRET -> hello(Versions.CURRENT, ClusterSecret.of(SECRET), self, called, random);
            case FORMER -> hello(Versions.FORMER, ClusterSecret.of(SECRET), self, called, random);
        };
    }

    /** The bytes of a member: an MPA Request with a HELLO that proves {@code secret}. */
    static byte[] ofMember(ClusterSecret secret, int self, int called, Random random) {
        return hello(Versions.CURRENT, secret, self, called, random);
    }

    private static byte[] hello(int version, ClusterSecret secret, int self, int called, Random random) {
        Offer offer = new Offer(
                new Identity(new NodeId(self), random.nextLong(Long.MAX_VALUE)),
                Secrets.only(secret),
                Versions.spoken(true),
                List.of(MEMBER),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES));
        return request(new Initiator(offer, new Initiator.Try(version, secret), new NodeId(called))
                .hello(random(NONCE_BYTES, random)));
    }

    private static byte[] random(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] request(byte[] privateData) {
        return new MpaFrame(
                        false,
                        false,
                        true,
                        false,
                        new EnhancedBlock(false, Set.of(), DEPTH, DEPTH),
                        REVISION,
                        privateData,
                        0)
                .emit();
    }
}
