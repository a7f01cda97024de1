package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.wire.ReceivedTerminate;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import org.jspecify.annotations.Nullable;

/** The state of a stream, and why it ends. The first error wins. Guarded by the stream owner's lock. */
final class StreamStatus {
    private QpState state = QpState.IDLE;
    private @Nullable TerminateHeader toSend;
    private @Nullable TerminateReason failure;
    private @Nullable ReceivedTerminate remote;

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
            remote = ReceivedTerminate.of(word);
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

    /** The peer's Terminate; null if it has sent none. */
    @Nullable
    ReceivedTerminate remote() {
        return remote;
    }

    /** What completions of sends report: our reason, or the peer's; 0 if there is neither. */
    int errorWord() {
        ReceivedTerminate told = remote;
        return failure == null && told != null ? told.reason() : failureWord();
    }

    /** What those of receives report, which is what the peer has done: our reason; 0 if there is none. */
    int failureWord() {
        TerminateReason reason = failure;
        return reason == null ? 0 : reason.word();
    }

    /** What the work under way when the stream failed reports. */
    WorkStatus firstStatus() {
        ReceivedTerminate told = remote;
        if (told != null) {
            return told.isProtectionError() ? WorkStatus.REMOTE_ACCESS : WorkStatus.REMOTE_ABORT;
        }
        return failure != null ? WorkStatus.FATAL : WorkStatus.FLUSHED;
    }
}
