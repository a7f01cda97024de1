package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.ddp.LocalMemory;
import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.FpduDecoder;
import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.wire.ReceivedTerminate;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One RDMAP stream with its queue pair. It contains no networking and takes no time from the system.
 *
 * <p>The caller owns a lock that guards every call. Its duties, in this order:
 * <ol>
 *   <li>post: {@link #sends} claim, fill, commit; {@link #receives} likewise;
 *   <li>input: let TCP fill {@link #spaces}, then, whatever came of it, call {@link #arrived}; {@link #closed} at the
 *       end. Where no CRC has to be checked first, the payload of a long tagged segment goes from TCP into its region;
 *   <li>output, after either: {@link #fill} a batch, write it, then {@link #flushed}, until the batch stays empty; if
 *       TCP takes only a part, {@link #suspend}, and {@link #resume} before the next try;
 *   <li>{@link #reap}: completions go to the sinks.
 * </ol>
 */
public final class StreamEngine {
    /** Missing payload from which it is placed directly: for less, a copy is cheaper than a read of its own. */
    private static final int DIRECT_BYTES = 8 * 1024;
    /** Bytes taken behind directly placed payload: its trailer, and so much of what follows as may well be copied. */
    private static final int BEHIND_BYTES = 2 * 1024;

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
    private @Nullable FpduDecoder decoder;
    private @Nullable ReadyAgain beginning;
    private final ByteBuffer[] spaces = new ByteBuffer[2];
    private int spaceCount;
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
        InboundReadQueue inboundReads = new InboundReadQueue(agreement.ird());
        var parts = new StreamParts(memory, sends, receives, inboundReads, status, receiveSink, config.maxElements());
        transmitter = new Transmitter(parts, agreement, mulpdu);
        receiver = new Receiver(parts, agreement);
        decoder = new FpduDecoder(agreement.crc(), agreement.markersToReceive());
        beginning = ReadyAgain.of(agreement);
        status.go(QpState.RTS);
    }

    /**
     * Sees to it that a responder which is not known to be of our kind notices that the stream has begun: it may have
     * missed what came right behind its Reply. To be called when the stream has {@linkplain #start started}, before
     * anything is sent, and again when it says so.
     *
     * @return in how many nanoseconds to call it again, before the next output; negative if no more
     */
    public long attend(long nowNanos) {
        ReadyAgain moments = beginning;
        Transmitter out = transmitter;
        if (moments == null || out == null) {
            return ReadyAgain.NEVER;
        }
        switch (moments.look(nowNanos, received || !status.works())) {
            case NONE -> {}
            case PAUSE -> out.mute();
            case SPEAK -> out.unmute();
            case REPEAT -> out.sayReady();
        }
        return moments.waitNanos();
    }

    /** The state. */
    public QpState state() {
        return status.state();
    }

    /** Whether reads and atomics can ever start: not if the peer agreed to none. Who posts asks first. */
    public boolean mayRead() {
        Transmitter out = transmitter;
        return out == null || out.mayRead();
    }

    /** The send queue. Commit in state RTS or later only. */
    public SendQueue sends() {
        return sends;
    }

    /** The receive queue. */
    public ReceiveQueue receives() {
        return receives;
    }

    /** Where the next bytes of TCP go, in this order; use the first {@link #spaceCount} elements. */
    public ByteBuffer[] spaces() {
        FpduDecoder in = requireDecoder();
        spaceCount = 0;
        if (in.elsewhere() > 0) {
            ByteBuffer direct = requireReceiver().placement();
            if (direct == null) {
                in.discard();
            } else {
                spaces[spaceCount++] = direct;
            }
        }
        spaces[spaceCount] = spaceCount == 0 ? in.space() : in.space(BEHIND_BYTES);
        spaceCount++;
        return spaces;
    }

    /** How many spaces there are: 1 or 2. */
    public int spaceCount() {
        return spaceCount;
    }

    /** Processes what was put into the spaces, if anything. */
    public void arrived() {
        FpduDecoder in = requireDecoder();
        if (spaceCount > 1) {
            in.arrivedElsewhere(requireReceiver().placed());
        }
        spaceCount = 0;
        decode(in);
    }

    private void decode(FpduDecoder in) {
        while (true) {
            switch (in.next()) {
                case NEED_MORE -> {
                    split(in);
                    return;
                }
                case ULPDU -> receive(in.ulpduBuffer(), in.ulpduOffset(), in.ulpduLength());
                case PLACED -> receivePlaced();
                case CRC_MISMATCH -> {
                    framingError(TerminateReason.MPA_CRC);
                    in.discard();
                    return;
                }
                case MARKER_MISMATCH -> {
                    framingError(TerminateReason.MPA_MARKER);
                    in.discard();
                    return;
                }
            }
        }
    }

    /** If most of a long FPDU is still to come, and no CRC with it, lets the rest of its payload bypass the decoder. */
    private void split(FpduDecoder in) {
        if (in.begun(TaggedHeader.LENGTH)
                && in.ulpduLength() - in.ulpduArrived() >= DIRECT_BYTES
                && status.works()
                && requireReceiver()
                        .beginPlacement(in.ulpduBuffer(), in.ulpduOffset(), in.ulpduArrived(), in.ulpduLength())) {
            in.split();
        }
    }

    /** Takes one ULPDU whose CRC was good. Does nothing once the stream is ending. */
    void receive(ByteBuffer buffer, int at, int length) {
        if (status.works()) {
            requireReceiver().receive(buffer, at, length);
            heard();
        }
    }

    private void receivePlaced() {
        if (status.works()) {
            requireReceiver().placementComplete();
            heard();
        }
    }

    private void heard() {
        received = true;
        speak();
    }

    /** A responder sends from now on, though no FPDU of the initiator's may have come (RFC 5044 section 7.1.2). */
    public void speak() {
        Transmitter out = transmitter;
        if (out != null) {
            out.unmute();
        }
    }

    private FpduDecoder requireDecoder() {
        return Objects.requireNonNull(decoder, "not started");
    }

    private Receiver requireReceiver() {
        return Objects.requireNonNull(receiver, "not started");
    }

    /** Bytes of memory held for what arrives, for the cap per connection. */
    public int heldBytes() {
        FpduDecoder in = decoder;
        return in == null ? 0 : in.capacity();
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

    /** The peer's Terminate; null if it has sent none. */
    public @Nullable ReceivedTerminate remoteTerminate() {
        return status.remote();
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
            completion.errorWord = status.failureWord();
            receiveSink.complete(completion);
        }
    }
}
