package dev.retier.iwarp.mpa;

import dev.retier.iwarp.wire.TerminateReason;
import org.jspecify.annotations.Nullable;

/** What a start-up machine has found in the bytes so far. */
public sealed interface StartupResult {
    /** The frame is not complete. */
    record NeedMore() implements StartupResult {
        /** The one value. */
        public static final NeedMore INSTANCE = new NeedMore();
    }

    /**
     * A responder has a good Request and must now accept or reject.
     *
     * @param request the frame
     */
    record Requested(MpaFrame request) implements StartupResult {}

    /**
     * An initiator was accepted; full operation starts.
     *
     * @param reply the frame
     * @param agreement what to do from now on
     */
    record Accepted(MpaFrame reply, Agreement agreement) implements StartupResult {}

    /**
     * An initiator was refused; close.
     *
     * @param reply the frame, with the peer's private data
     */
    record Rejected(MpaFrame reply) implements StartupResult {}

    /**
     * The peer is wrong; close at once.
     *
     * @param reason what to report; {@code MPA_STARTUP} is never sent, the two of RFC 6581 go out as a Terminate
     * @param detail one sentence for the log
     * @param agreement how to send that Terminate, or null if there is none to send
     */
    record Failed(
            TerminateReason reason, String detail, @Nullable Agreement agreement) implements StartupResult {}
}
