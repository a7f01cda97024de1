package dev.retier.iwarp.stream;

import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One RDMAP stream with its queue pair. It contains no networking and takes no time from the system.
 *
 * <p>The caller owns a lock that guards every call. Its duties, in this order:
 * <ol>
 *   <li>post: {@link #sends} claim, fill, commit; {@link #receives} likewise;
 *   <li>input: {@link #receive} for each ULPDU, {@link #framingError}, {@link #closed};
 *   <li>output, after either: {@link #fill} a batch, write it, then {@link #flushed}, until the batch stays empty; if
 *       TCP takes only a part, {@link #suspend}, and {@link #resume} before the next try;
 *   <li>{@link #reap}: completions go to the sinks.
 * </ol>
 */
public final class StreamEngine {
    private final StreamConfig config;
    private final LocalMemory memory;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final CompletionSink sendSink;
    private final CompletionSink receiveSink;
    private final StreamStatus status = new StreamStatus();
    private final Completion completion = new Completion();
    private @Nullable Transmitter transmitter;
    private @Nullable Receiver receiver;
    private boolean received;
    private boolean signalAll;

    /** An idle stream. Send completions go to {@code sendSink}, receive completions to {@code receiveSink}. */
    public StreamEngine(StreamConfig config, StagTable table, CompletionSink sendSink, CompletionSink receiveSink) {
        this.config = config;
        this.memory = new LocalMemory(table, config.who());
        this.sends = new SendQueue(config.maxSendWork(), config.maxElements());
        this.receives = new ReceiveQueue(config.maxReceiveWork(), config.maxElements());
        this.sendSink = sendSink;
        this.receiveSink = receiveSink;
    }

    /** Reports every send's success, whether it asked for it or not. */
    public void signalAll() {
        signalAll = true;
    }

    /** Enters full operation: MPA start-up is over. */
    public void start(Agreement agreement, int mulpdu) {
        OwedResponses owed = new OwedResponses(agreement.ird());
        var parts = new StreamParts(memory, sends, receives, owed, status, receiveSink, config.maxElements());
        transmitter = new Transmitter(parts, agreement, mulpdu);
        receiver = new Receiver(parts, agreement);
        status.go(QpState.RTS);
    }

    /** The state. */
    public QpState state() {
        return status.state();
    }

    /** The send queue. Commit in state RTS or later only. */
    public SendQueue sends() {
        return sends;
    }

    /** The receive queue. */
    public ReceiveQueue receives() {
        return receives;
    }

    /** Takes one ULPDU whose CRC was good. Does nothing once the stream is ending. */
    public void receive(ByteBuffer buffer, int at, int length) {
        Receiver in = receiver;
        Transmitter out = transmitter;
        if (status.works() && in != null && out != null) {
            in.receive(buffer, at, length);
            received = true;
            out.unmute();
        }
    }

    /**
     * Takes charge of the payload of a tagged segment of which {@code arrived} of {@code length} bytes have arrived, of
     * an FPDU without CRC. If it does, {@link #placement} says where the rest goes and {@link #placed} that some of it
     * came, until {@link #placementComplete}.
     *
     * @return false if the segment has to be received whole
     */
    public boolean place(ByteBuffer buffer, int at, int arrived, int length) {
        Receiver in = receiver;
        return status.works() && in != null && in.direct().begin(buffer, at, arrived, length);
    }

    /** Where the missing payload goes, to be followed by {@link #placed}; null if the stream ends. */
    public @Nullable ByteBuffer placement() {
        Receiver in = receiver;
        return in == null ? null : in.direct().space();
    }

    /** The caller has done with {@link #placement}. Returns how many bytes it put there. */
    public int placed() {
        Receiver in = receiver;
        return in == null ? 0 : in.direct().placed();
    }

    /** The FPDU whose payload was placed is whole. */
    public void placementComplete() {
        Receiver in = receiver;
        Transmitter out = transmitter;
        if (status.works() && in != null && out != null) {
            in.placed();
            received = true;
            out.unmute();
        }
    }

    /** Whether a valid FPDU has arrived: a responder that waits for ready-to-receive is then established. */
    public boolean hasReceived() {
        return received;
    }

    /** Ends the stream with a Terminate, for a reason of MPA's or of the caller's. */
    public void framingError(TerminateReason reason) {
        status.fail(TerminateHeader.of(reason));
    }

    /** Adds FPDUs to the batch. After posting, after {@link #receive} or a written batch, call it again. */
    public void fill(TransmitBatch batch) {
        Transmitter out = transmitter;
        if (out != null) {
            out.fill(batch);
        }
    }

    /** The batch was written: work whose last byte was in it is finished, unless it awaits an answer. */
    public void flushed() {
        Transmitter out = transmitter;
        if (out != null) {
            out.flushed();
        }
    }

    /** A part of the batch is left: until {@link #resume} the memory that it refers to may be revoked. */
    public void suspend() {
        Transmitter out = transmitter;
        if (out != null) {
            out.suspend();
        }
    }

    /** What is left of the batch is about to be written. Returns false if it cannot be: its memory was revoked. */
    public boolean resume() {
        Transmitter out = transmitter;
        return out == null || out.resume();
    }

    /** Ends the stream in an orderly way; the caller then closes TCP once its batch is empty. */
    public void disconnect() {
        if (status.works()) {
            status.go(QpState.CLOSING);
        }
    }

    /** TCP is gone, or never came. */
    public void closed() {
        Transmitter out = transmitter;
        if (out != null) {
            out.abandon();
        }
        if (status.state() != QpState.ERROR) {
            status.go(QpState.ERROR);
        }
    }

    /** Hands finished work to the sinks, in order; in a state that flushes, all work. */
    public void reap() {
        SendWork work = sends.retire();
        while (work != null) {
            report(work, WorkStatus.SUCCESS);
            work = sends.retire();
        }
        if (status.state().flushes()) {
            flush();
        }
    }

    /** Why the stream failed here, or null. */
    public @Nullable TerminateReason failure() {
        return status.failure();
    }

    /** Whether the peer sent a Terminate. */
    public boolean terminatedByPeer() {
        return status.terminatedByPeer();
    }

    /** The first 32 bits of the peer's Terminate, for the log. */
    public int remoteTerminateWord() {
        return status.remoteWord();
    }

    private void report(SendWork work, WorkStatus how) {
        if (how == WorkStatus.SUCCESS && !work.signaled && !signalAll) {
            return;
        }
        completion.of(work.workId, work.opcode.kind(), how, work.totalBytes());
        completion.errorWord = how == WorkStatus.SUCCESS ? 0 : status.errorWord();
        if (!sendSink.complete(completion)) {
            status.fail(TerminateHeader.of(TerminateReason.RDMAP_LOCAL));
        }
    }

    private void flush() {
        WorkStatus how = status.firstStatus();
        for (SendWork work = sends.flush(); work != null; work = sends.flush()) {
            if (work.finished) {
                report(work, WorkStatus.SUCCESS);
            } else {
                report(work, work.status == WorkStatus.SUCCESS ? how : work.status);
                how = WorkStatus.FLUSHED;
            }
        }
        for (ReceiveWork work = receives.first(); work != null; work = receives.first()) {
            receives.consume();
            completion.of(work.workId, CompletionKind.RECEIVE, WorkStatus.FLUSHED, 0);
            completion.errorWord = status.errorWord();
            receiveSink.complete(completion);
        }
    }
}
