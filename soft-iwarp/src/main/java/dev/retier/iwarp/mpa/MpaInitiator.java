package dev.retier.iwarp.mpa;

import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The initiator's half of start-up (RFC 5044 section 7.1.2, RFC 6581 section 9). Owned by one thread at a time. */
public final class MpaInitiator {
    private final StartupPolicy policy;

    /** A machine that will ask for what {@code policy} says, as it is {@linkplain StartupPolicy#towards towards} it. */
    public MpaInitiator(StartupPolicy policy) {
        this.policy = policy;
    }

    /**
     * The Request to send first.
     *
     * @throws IllegalArgumentException if the private data exceeds 512 bytes (508 with revision 2)
     */
    public byte[] request(byte[] privateData) {
        EnhancedBlock block = policy.revision() < 2
                ? null
                : new EnhancedBlock(policy.peerToPeer(), policy.rtr(), policy.ird(), policy.ord());
        int length = MpaFrame.extraPrivateData(true, true) + privateData.length;
        boolean offer = offersLargeFpdus() && length <= LargeUlpduOffer.MAX_UNASKED_PRIVATE_DATA;
        int longest = offer ? Fpdu.MAX_ULPDU : 0;
        return new MpaFrame(
                        false, policy.markers(), policy.crc(), false, block, policy.revision(), privateData, longest)
                .emit();
    }

    private boolean offersLargeFpdus() {
        return policy.largeFpdus() == LargeFpdus.ALWAYS && policy.revision() >= 2;
    }

    /** Looks at all bytes received so far, from the buffer's position; moves it behind a complete frame. */
    public StartupResult receive(ByteBuffer received) {
        MpaFrame.Problem problem = MpaFrame.problem(received);
        if (problem != null) {
            return failed("the Reply is no MPA frame: " + problem);
        }
        int length = MpaFrame.lengthOf(received);
        if (length < 0 || received.remaining() < length) {
            return StartupResult.NeedMore.INSTANCE;
        }
        MpaFrame reply = MpaFrame.parse(received);
        if (!reply.reply()) {
            return failed("both sides sent a Request");
        }
        if (reply.rejected()) {
            return new StartupResult.Rejected(reply);
        }
        if (reply.revision() < 1 || reply.revision() > policy.revision()) {
            return failed("the Reply has revision " + reply.revision() + ", we asked for " + policy.revision());
        }
        return accepted(reply);
    }

    private StartupResult accepted(MpaFrame reply) {
        EnhancedBlock block = reply.enhanced();
        if (block == null) {
            return new StartupResult.Accepted(reply, agreement(reply, null, policy.ird(), policy.untoldOrd()));
        }
        if (policy.revision() < 2) {
            return failed("the Reply is enhanced, the Request was not");
        }
        if (block.ord() != EnhancedBlock.NOT_NEGOTIATED && block.ord() > policy.ird()) {
            return new StartupResult.Failed(
                    TerminateReason.MPA_INSUFFICIENT_IRD,
                    "the responder wants " + block.ord() + " reads under way, we can hold " + policy.ird(),
                    agreement(reply, null, policy.ird(), policy.ord()));
        }
        RtrKind rtr = policy.peerToPeer() && block.peerToPeer() ? choose(block.rtr()) : null;
        if (policy.peerToPeer() && block.peerToPeer() && rtr == null) {
            return new StartupResult.Failed(
                    TerminateReason.MPA_NO_MATCHING_RTR,
                    "the responder understands none of our ready-to-receive kinds",
                    agreement(reply, null, policy.ird(), policy.ord()));
        }
        int ord = block.ird() == EnhancedBlock.NOT_NEGOTIATED ? policy.ord() : Math.min(policy.ord(), block.ird());
        return new StartupResult.Accepted(reply, agreement(reply, rtr, policy.ird(), ord));
    }

    private Agreement agreement(MpaFrame reply, @Nullable RtrKind rtr, int ird, int ord) {
        Set<RtrKind> chosen = rtr == null ? Set.of() : Set.of(rtr);
        boolean crc = policy.crc() || reply.crc();
        int longest = offersLargeFpdus() ? reply.longestUlpdu() : 0;
        EnhancedBlock block = reply.enhanced();
        boolean likeUs = block != null && block.hasEveryRtr();
        return new Agreement(true, crc, reply.markers(), policy.markers(), chosen, ird, ord, longest, likeUs);
    }

    private @Nullable RtrKind choose(Set<RtrKind> offered) {
        for (RtrKind kind : RtrKind.values()) {
            if (offered.contains(kind) && policy.rtr().contains(kind)) {
                return kind;
            }
        }
        return null;
    }

    private static StartupResult failed(String detail) {
        return new StartupResult.Failed(TerminateReason.MPA_STARTUP, detail, null);
    }
}
