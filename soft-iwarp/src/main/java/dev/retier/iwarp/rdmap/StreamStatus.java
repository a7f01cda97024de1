package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import org.jspecify.annotations.Nullable;

/** The state of a stream, and why it ends. The first error wins. Guarded by the stream owner's lock. */
final class StreamStatus {
    private QpState state = QpState.IDLE;
    private @Nullable TerminateHeader toSend;
    private @Nullable TerminateReason failure;
    private boolean remoteTerminate;
    private int remoteWord;

    QpState state() {
        return state;
    }

    void go(QpState next) {
        state = state.transition(next);
    }

    /** Whether FPDUs of work and of responses may be sent. */
    boolean works() {
        return state == QpState.RTS;
    }

    /** Ends the stream with a Terminate, unless it is ending already. */
    void fail(TerminateHeader header) {
        if (state == QpState.RTS) {
            failure = header.reason();
            toSend = header;
            state = state.transition(QpState.TERMINATE);
        }
    }

    /** Ends the stream because the peer said so. */
    void terminatedByPeer(int word) {
        if (state == QpState.RTS) {
            remoteTerminate = true;
            remoteWord = word;
            state = state.transition(QpState.TERMINATE);
        }
    }

    /** The Terminate to send, once. */
    @Nullable
    TerminateHeader takeTerminate() {
        TerminateHeader header = toSend;
        toSend = null;
        return header;
    }

    boolean owesTerminate() {
        return toSend != null;
    }

    @Nullable
    TerminateReason failure() {
        return failure;
    }

    boolean terminatedByPeer() {
        return remoteTerminate;
    }

    /** The first 32 bits of the peer's Terminate. */
    int remoteWord() {
        return remoteWord;
    }

    /** What completions report: our reason, or the first half of the peer's word. */
    int errorWord() {
        TerminateReason reason = failure;
        return reason != null ? reason.word() : remoteWord >>> 16;
    }

    /** What the work under way when the stream failed reports. */
    WorkStatus firstStatus() {
        if (remoteTerminate) {
            return WorkStatus.REMOTE_ABORT;
        }
        return failure != null ? WorkStatus.FATAL : WorkStatus.FLUSHED;
    }
}
