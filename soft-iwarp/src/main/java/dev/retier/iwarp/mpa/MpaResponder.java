package dev.retier.iwarp.mpa;

import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The responder's half of start-up (RFC 5044 section 7.1.2, RFC 6581 section 9). Owned by one thread at a time. */
public final class MpaResponder {
    private final StartupPolicy policy;

    /** A machine that can give what {@code policy} says. */
    public MpaResponder(StartupPolicy policy) {
        this.policy = policy;
    }

    /**
     * A Reply that accepts, and what it commits us to.
     *
     * @param bytes to send
     * @param agreement what to do from now on
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes of the wire, never compared
    public record Acceptance(byte[] bytes, Agreement agreement) {}

    /** What an initiator gets that does not begin with MPA: by its first byte it knows what is spoken here. */
    public static byte[] refusal() {
        return new MpaFrame(true, false, false, true, null, 1, new byte[0], 0).emit();
    }

    /**
     * Looks at all bytes received so far, from the buffer's position; moves it behind a complete frame.
     * Bytes behind the Request are an error: the initiator has to wait for the Reply.
     */
    public StartupResult receive(ByteBuffer received) {
        MpaFrame.Problem problem = MpaFrame.problem(received);
        if (problem != null) {
            return failed("the Request is no MPA frame: " + problem);
        }
        int length = MpaFrame.lengthOf(received);
        if (length < 0 || received.remaining() < length) {
            return StartupResult.NeedMore.INSTANCE;
        }
        MpaFrame request = MpaFrame.parse(received);
        if (request.reply()) {
            return failed("a Reply came where a Request belongs");
        }
        if (request.revision() < 1 || request.revision() > 2) {
            return failed("revision " + request.revision() + " is not spoken here");
        }
        if (received.hasRemaining()) {
            return failed(received.remaining() + " bytes came behind the Request, before any Reply");
        }
        return new StartupResult.Requested(request);
    }

    /**
     * The Reply that accepts {@code request}. Our ORD is lowered to the initiator's IRD.
     *
     * @throws IllegalArgumentException if the private data does not fit
     */
    public Acceptance accept(MpaFrame request, byte[] privateData) {
        EnhancedBlock asked = request.enhanced();
        if (asked == null) {
            return new Acceptance(
                    reply(request, null, privateData).emit(), agreement(request, Set.of(), policy.untoldOrd()));
        }
        Set<RtrKind> common = common(asked);
        int ord = asked.ird() == EnhancedBlock.NOT_NEGOTIATED ? policy.ord() : Math.min(policy.ord(), asked.ird());
        var block = new EnhancedBlock(
                asked.peerToPeer(),
                common,
                asked.ord() == EnhancedBlock.NOT_NEGOTIATED ? EnhancedBlock.NOT_NEGOTIATED : policy.ird(),
                asked.ird() == EnhancedBlock.NOT_NEGOTIATED ? EnhancedBlock.NOT_NEGOTIATED : ord);
        return new Acceptance(reply(request, block, privateData).emit(), agreement(request, common, ord));
    }

    /** An offer is answered if there is room; without it in the Reply, the initiator keeps to TCP's segments. */
    private MpaFrame reply(MpaFrame request, @Nullable EnhancedBlock block, byte[] privateData) {
        boolean crc = policy.crc() || request.crc();
        int length = MpaFrame.extraPrivateData(block != null, true) + privateData.length;
        int longest = takesLargeFpdus(request) && length <= MpaFrame.MAX_PRIVATE_DATA ? Fpdu.MAX_ULPDU : 0;
        return new MpaFrame(true, policy.markers(), crc, false, block, request.revision(), privateData, longest);
    }

    private boolean takesLargeFpdus(MpaFrame request) {
        return policy.largeFpdus() != LargeFpdus.NEVER && request.longestUlpdu() > 0;
    }

    /**
     * The Reply that rejects {@code request}. Close once it is sent.
     *
     * @throws IllegalArgumentException if the private data does not fit
     */
    public byte[] reject(MpaFrame request, byte[] privateData) {
        EnhancedBlock asked = request.enhanced();
        EnhancedBlock block =
                asked == null ? null : new EnhancedBlock(asked.peerToPeer(), common(asked), policy.ird(), policy.ord());
        return new MpaFrame(true, policy.markers(), policy.crc(), true, block, request.revision(), privateData, 0)
                .emit();
    }

    /** What we understand of what the initiator can send; everything we understand if there is no overlap. */
    private Set<RtrKind> common(EnhancedBlock asked) {
        if (!asked.peerToPeer()) {
            return Set.of();
        }
        EnumSet<RtrKind> both = EnumSet.copyOf(policy.rtr());
        both.retainAll(asked.rtr());
        return both.isEmpty() ? policy.rtr() : both;
    }

    private Agreement agreement(MpaFrame request, Set<RtrKind> rtr, int ord) {
        boolean crc = policy.crc() || request.crc();
        int longest = takesLargeFpdus(request) ? request.longestUlpdu() : 0;
        EnhancedBlock block = request.enhanced();
        boolean likeUs = block != null && block.hasEveryRtr();
        return new Agreement(false, crc, request.markers(), policy.markers(), rtr, policy.ird(), ord, longest, likeUs);
    }

    private static StartupResult failed(String detail) {
        return new StartupResult.Failed(TerminateReason.MPA_STARTUP, detail, null);
    }
}
