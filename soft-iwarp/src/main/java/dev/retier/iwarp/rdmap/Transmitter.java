package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.ddp.LocalMemory;
import dev.retier.iwarp.ddp.ScatterList;
import dev.retier.iwarp.ddp.SpanList;
import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.FpduEncoder;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.wire.AtomicRequestHeader;
import dev.retier.iwarp.wire.AtomicResponseHeader;
import dev.retier.iwarp.wire.AtomicTarget;
import dev.retier.iwarp.wire.ImmediateData;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import dev.retier.iwarp.wire.UntaggedHeader;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns work requests and inbound reads into FPDUs. Messages leave whole, one after the other: segments of two
 * messages never interleave (RFC 5041 section 5.3). Guarded by the stream owner's lock.
 */
final class Transmitter {
    /** STag of the zero-length ready-to-receive messages; nobody checks it. */
    private static final int RTR_STAG = 1;
    /** Inbound reads served in a row while own work waits, as in Linux siw. */
    private static final int RESPONSE_BURST = 4;
    /** Segments per fill at most, so that one stream cannot keep the thread. */
    private static final int SEGMENTS_PER_FILL = 64;
    /** Pieces of user memory that one batch refers to, beside those of its last segment. */
    private static final int REFERRED_PIECES = 64;
    /** Payload from which referring to user memory is cheaper than copying it. */
    private static final int REFER_BYTES = 4 * 1024;

    private final LocalMemory memory;
    private final SendQueue queue;
    private final InboundReadQueue inboundReads;
    private final StreamStatus status;
    private final FpduEncoder encoder;
    private final int ord;
    private final int mulpdu;
    private final int maxElements;
    private final SpanList spans;
    /** What the batch refers to. */
    private final SpanList referred;

    private boolean suspended;
    private final Segment segment = new Segment();
    private final int[] nextMsn = {1, 1, 1, 1};
    private @Nullable RtrKind rtr;
    private boolean silent;
    private boolean responding;
    private boolean working;
    private int responsesInRow;

    Transmitter(StreamParts parts, Agreement agreement, int mulpdu) {
        this.memory = parts.memory();
        this.queue = parts.sends();
        this.inboundReads = parts.inboundReads();
        this.status = parts.status();
        this.maxElements = parts.maxElements();
        this.spans = new SpanList(maxElements);
        this.referred = new SpanList(maxElements + REFERRED_PIECES);
        this.encoder = new FpduEncoder(agreement.crc(), agreement.markersToSend());
        this.ord = agreement.ord();
        this.mulpdu = mulpdu;
        this.silent = agreement.silentAtFirst();
        Set<RtrKind> kinds = agreement.rtr();
        this.rtr = agreement.initiator() && !kinds.isEmpty() ? kinds.iterator().next() : null;
    }

    boolean mayRead() {
        return ord > 0;
    }

    /** Nothing but a Terminate is sent from now on. */
    void mute() {
        silent = true;
    }

    /** Now it may speak. */
    void unmute() {
        silent = false;
    }

    /** Says ready-to-receive by an empty Write, before the next message. */
    void sayReady() {
        rtr = RtrKind.WRITE;
    }

    /** Adds FPDUs until the batch is full or there is nothing to send now. */
    void fill(TransmitBatch batch) {
        int left = SEGMENTS_PER_FILL;
        while (left > 0 && !batch.isFull() && step(batch)) {
            left--;
        }
    }

    /** The batch is written: frees the memory that it referred to. */
    void flushed() {
        referred.release();
        queue.handedOver();
    }

    /** TCP takes no more for now: the memory that the batch refers to may be revoked until {@link #resume}. */
    void suspend() {
        referred.suspend();
        suspended = true;
    }

    /** The batch is about to be written again. Returns false if memory that it refers to was revoked. */
    boolean resume() {
        if (suspended && !referred.resume()) {
            return false;
        }
        suspended = false;
        return true;
    }

    /** The batch will never be written. */
    void abandon() {
        if (!suspended) {
            referred.suspend();
        }
        referred.forget();
        suspended = false;
    }

    private boolean step(TransmitBatch batch) {
        if (status.owesTerminate()) {
            terminate(batch);
            return false;
        }
        if (!status.works() || silent || referred.room() < maxElements) {
            return false;
        }
        if (!responding && !working) {
            RtrKind ready = rtr;
            if (ready != null) {
                rtr = null;
                readyToReceive(batch, ready);
                return true;
            }
            choose();
        }
        return responding ? respond(batch) : working && work(batch);
    }

    /** Decides whose message is next. */
    private void choose() {
        boolean own = canStart(queue.next());
        boolean response = inboundReads.first() != null;
        responding = response && (!own || responsesInRow < RESPONSE_BURST);
        working = !responding && own;
        responsesInRow = responding ? responsesInRow + 1 : 0;
    }

    private boolean canStart(@Nullable SendWork work) {
        if (work == null || (work.fence && queue.awaiting() > 0)) {
            return false;
        }
        return !work.opcode.awaitsResponse() || queue.awaiting() < ord;
    }

    private boolean work(TransmitBatch batch) {
        SendWork work = Objects.requireNonNull(queue.next(), "no work to go on with");
        boolean ok = switch (work.opcode) {
            case WRITE, WRITE_IMMEDIATE -> write(batch, work);
            case SEND -> send(batch, work);
            case READ -> read(batch, work);
            case COMPARE_SWAP, FETCH_ADD -> atomic(batch, work);
        };
        if (!ok) {
            work.status = WorkStatus.LOCAL_PROTECTION;
            working = false;
            status.fail(TerminateHeader.of(TerminateReason.RDMAP_LOCAL));
        }
        return true;
    }

    private void finish() {
        working = false;
        queue.sent();
    }

    private boolean write(TransmitBatch batch, SendWork work) {
        if (work.written) {
            immediate(batch, work);
            finish();
            return true;
        }
        int chunk = (int) Math.min(work.totalBytes() - work.done, mulpdu - TaggedHeader.LENGTH);
        boolean last = work.done + chunk == work.totalBytes();
        segment.tagged(RdmapOpcode.WRITE, work.remoteStag, work.remoteOffset + work.done, last);
        if (!payload(batch, work, chunk)) {
            return false;
        }
        work.done += chunk;
        if (last) {
            work.written = true;
            if (work.opcode == WorkOpcode.WRITE) {
                finish();
            }
        }
        return true;
    }

    private boolean send(TransmitBatch batch, SendWork work) {
        int chunk = (int) Math.min(work.totalBytes() - work.done, mulpdu - UntaggedHeader.LENGTH);
        boolean last = work.done + chunk == work.totalBytes();
        segment.untagged(sendOpcode(work), nextMsn[0], (int) work.done, last).invalidating(work.invalidateStag);
        if (!payload(batch, work, chunk)) {
            return false;
        }
        work.done += chunk;
        if (last) {
            nextMsn[0]++;
            finish();
        }
        return true;
    }

    private static RdmapOpcode sendOpcode(SendWork work) {
        if (work.invalidateStag != 0) {
            return work.solicited ? RdmapOpcode.SEND_SOLICITED_INVALIDATE : RdmapOpcode.SEND_INVALIDATE;
        }
        return work.solicited ? RdmapOpcode.SEND_SOLICITED : RdmapOpcode.SEND;
    }

    private void immediate(TransmitBatch batch, SendWork work) {
        RdmapOpcode opcode = work.solicited ? RdmapOpcode.IMMEDIATE_SOLICITED : RdmapOpcode.IMMEDIATE;
        int at = openUntagged(batch, opcode, ImmediateData.LENGTH);
        ImmediateData.emit(encoder.headerBuffer(), at, work.immediate);
        close(ImmediateData.LENGTH);
    }

    private boolean read(TransmitBatch batch, SendWork work) {
        if (work.scatter().check(memory, Access.LOCAL_WRITE) != AccessResult.GRANTED) {
            return false;
        }
        int at = openUntagged(batch, RdmapOpcode.READ_REQUEST, ReadRequestHeader.LENGTH);
        var buffer = encoder.headerBuffer();
        ScatterList sink = work.scatter();
        ReadRequestHeader.emitSink(buffer, at, sink.firstKey(), sink.firstAddress(), (int) work.totalBytes());
        ReadRequestHeader.emitSource(buffer, at, work.remoteStag, work.remoteOffset);
        close(ReadRequestHeader.LENGTH);
        finish();
        return true;
    }

    private boolean atomic(TransmitBatch batch, SendWork work) {
        if (work.scatter().check(memory, Access.LOCAL_WRITE) != AccessResult.GRANTED) {
            return false;
        }
        int operation =
                work.opcode == WorkOpcode.FETCH_ADD ? AtomicRequestHeader.FETCH_ADD : AtomicRequestHeader.COMPARE_SWAP;
        int requestId = nextMsn[1];
        int at = openUntagged(batch, RdmapOpcode.ATOMIC_REQUEST, AtomicRequestHeader.LENGTH);
        var buffer = encoder.headerBuffer();
        var target = new AtomicTarget(work.remoteStag, work.remoteOffset);
        AtomicRequestHeader.emitTarget(buffer, at, operation, requestId, target);
        AtomicRequestHeader.emitOperands(buffer, at, work.requireOperands());
        close(AtomicRequestHeader.LENGTH);
        work.done = Integer.toUnsignedLong(requestId);
        finish();
        return true;
    }

    private boolean respond(TransmitBatch batch) {
        InboundRead response = Objects.requireNonNull(inboundReads.first(), "no response to go on with");
        TerminateReason problem = response.atomic ? answerAtomic(batch, response) : answerRead(batch, response);
        if (problem != null) {
            responding = false;
            status.fail(response.failure(problem));
        }
        return true;
    }

    private @Nullable TerminateReason answerRead(TransmitBatch batch, InboundRead response) {
        int chunk = (int) Math.min(response.size - response.sent, mulpdu - TaggedHeader.LENGTH);
        boolean last = response.sent + chunk == response.size;
        if (chunk > 0) {
            long from = response.sourceOffset + response.sent;
            AccessResult result = spans.add(memory, response.sourceStag, Access.REMOTE_READ, from, chunk);
            if (result != AccessResult.GRANTED) {
                return AccessReasons.remote(result);
            }
        }
        segment.tagged(RdmapOpcode.READ_RESPONSE, response.sinkStag, response.sinkOffset + response.sent, last);
        emitSpans(batch, chunk, false);
        response.sent += chunk;
        if (last) {
            responding = false;
            inboundReads.answered();
        }
        return null;
    }

    private @Nullable TerminateReason answerAtomic(TransmitBatch batch, InboundRead response) {
        var region = memory.table().find(response.sourceStag);
        if (region == null || !region.acquire()) {
            return TerminateReason.RDMAP_INVALID_STAG;
        }
        long old = response.applyTo(region);
        region.release();
        int at = openUntagged(batch, RdmapOpcode.ATOMIC_RESPONSE, AtomicResponseHeader.LENGTH);
        AtomicResponseHeader.emit(encoder.headerBuffer(), at, response.requestId, old);
        close(AtomicResponseHeader.LENGTH);
        responding = false;
        inboundReads.answered();
        return null;
    }

    private void readyToReceive(TransmitBatch batch, RtrKind kind) {
        switch (kind) {
            case WRITE -> {
                segment.tagged(RdmapOpcode.WRITE, RTR_STAG, 0, true);
                emitSpans(batch, 0, true);
            }
            case READ -> {
                int at = openUntagged(batch, RdmapOpcode.READ_REQUEST, ReadRequestHeader.LENGTH);
                new ReadRequestHeader(RTR_STAG, 0, 0, RTR_STAG, 0).emit(encoder.headerBuffer(), at);
                close(ReadRequestHeader.LENGTH);
            }
            case SEND -> {
                openUntagged(batch, RdmapOpcode.SEND, 0);
                encoder.end();
            }
        }
    }

    private void terminate(TransmitBatch batch) {
        TerminateHeader header = status.takeTerminate();
        if (header != null) {
            int at = openUntagged(batch, RdmapOpcode.TERMINATE, header.length());
            header.emit(encoder.headerBuffer(), at);
            close(header.length());
        }
    }

    /** Starts a one-segment untagged message with the queue's next number. Returns where its body goes. */
    private int openUntagged(TransmitBatch batch, RdmapOpcode opcode, int bodyLength) {
        segment.untagged(opcode, nextMsn[opcode.queue()]++, 0, true);
        openSegment(batch, bodyLength, bodyLength);
        return encoder.headerAt();
    }

    private void close(int bodyLength) {
        encoder.headerWritten(bodyLength);
        encoder.end();
    }

    private void openSegment(TransmitBatch batch, int payloadLength, int copied) {
        int header = segment.headerLength();
        encoder.begin(batch, header + payloadLength, header + copied);
        segment.emit(encoder.headerBuffer(), encoder.headerAt());
        encoder.headerWritten(header);
    }

    private boolean payload(TransmitBatch batch, SendWork work, int chunk) {
        if (work.isInline()) {
            openSegment(batch, chunk, chunk);
            encoder.copy().put(work.inlineBytes(), (int) work.done, chunk);
            encoder.end();
            return true;
        }
        if (work.scatter().acquire(memory, 0, work.done, chunk, spans) != AccessResult.GRANTED) {
            return false;
        }
        emitSpans(batch, chunk, true);
        return true;
    }

    /** Emits the prepared segment with the acquired memory, which is released here unless it is referred to. */
    private void emitSpans(TransmitBatch batch, int chunk, boolean stable) {
        boolean refer = chunk >= REFER_BYTES && encoder.mayRefer(stable) && spans.lends();
        openSegment(batch, chunk, refer ? 0 : chunk);
        if (refer) {
            spans.referTo(encoder, referred);
        } else {
            spans.copyTo(encoder.copy());
            spans.release();
        }
        encoder.end();
    }
}
