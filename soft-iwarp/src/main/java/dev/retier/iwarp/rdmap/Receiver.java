package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.ddp.DirectPlacement;
import dev.retier.iwarp.ddp.LocalMemory;
import dev.retier.iwarp.ddp.ScatterList;
import dev.retier.iwarp.ddp.SpanList;
import dev.retier.iwarp.ddp.Ulpdu;
import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.wire.AtomicRequestHeader;
import dev.retier.iwarp.wire.AtomicResponseHeader;
import dev.retier.iwarp.wire.DdpControl;
import dev.retier.iwarp.wire.RdmapControl;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import dev.retier.iwarp.wire.UntaggedHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Places and delivers received segments, and finds what is wrong with them. Each check returns the reason, or null if
 * there is none; the first reason ends the stream. Guarded by the stream owner's lock.
 */
final class Receiver {
    private static final int QUEUES = 4;

    private final LocalMemory memory;
    private final InboundReadQueue inboundReads;
    private final StreamStatus status;
    private final SpanList spans;
    private final int[] expectedMsn = {1, 1, 1, 1};
    private final Ulpdu segment = new Ulpdu();
    private final MessageReceiver messages;
    private final SendQueue sends;
    private final ByteBuffer word = ByteBuffer.allocate(SendWork.ATOMIC_BYTES).order(ByteOrder.nativeOrder());
    private boolean rtrReadSent;
    private final DirectPlacement direct;
    private boolean rtrSendMayCome;
    private boolean first = true;

    Receiver(StreamParts parts, Agreement agreement) {
        this.memory = parts.memory();
        this.inboundReads = parts.inboundReads();
        this.status = parts.status();
        this.spans = new SpanList(parts.maxElements());
        this.messages = new MessageReceiver(parts, spans);
        this.rtrReadSent = agreement.initiator() && agreement.rtr().contains(RtrKind.READ);
        this.sends = parts.sends();
        this.direct = new DirectPlacement(parts.maxElements(), this::acquire);
        this.rtrSendMayCome = !agreement.initiator() && agreement.rtr().contains(RtrKind.SEND);
    }

    /** Takes one ULPDU whose CRC was good. */
    void receive(ByteBuffer buffer, int at, int length) {
        segment.set(buffer, at, length);
        TerminateReason problem = dispatch();
        if (problem != null) {
            status.fail(segment.failure(problem));
        }
        first = false;
    }

    /**
     * Takes charge of the payload of a tagged segment of which {@code arrived} of {@code length} bytes have arrived, of
     * an FPDU without CRC. If it does, {@link #placement} says where the rest goes and {@link #placed} that some of it
     * came, until {@link #placementComplete}. Returns false if the segment has to be received whole.
     */
    boolean beginPlacement(ByteBuffer buffer, int at, int arrived, int length) {
        return direct.begin(buffer, at, arrived, length);
    }

    /** Where the missing payload goes, to be followed by {@link #placed}; null if the stream ends. */
    @Nullable
    ByteBuffer placement() {
        if (!status.works()) {
            return null;
        }
        ByteBuffer space = direct.space();
        if (space == null) { // the region was revoked meanwhile
            Ulpdu cut = direct.complete();
            boolean write = cut.opcode == RdmapOpcode.WRITE;
            status.fail(cut.failure(write ? TerminateReason.DDP_INVALID_STAG : TerminateReason.RDMAP_LOCAL));
        }
        return space;
    }

    /** The caller has done with {@link #placement}. Returns how many bytes it put there. */
    int placed() {
        return direct.placed();
    }

    /** A segment was placed while it arrived, and is whole now. */
    void placementComplete() {
        Ulpdu whole = direct.complete();
        if (whole.opcode == RdmapOpcode.WRITE) {
            messages.written(whole.payloadLength(), whole.last());
        } else {
            answered(Objects.requireNonNull(sends.awaitingAnswer()), whole.payloadLength());
        }
        first = false;
    }

    /** Acquires where the payload of a segment goes, if it is right in every way; false, and nothing, otherwise. */
    private boolean acquire(Ulpdu arriving, SpanList into) {
        RdmapOpcode opcode = RdmapOpcode.of(arriving.rdmapControl());
        if (opcode == null || !RdmapControl.versionKnown(arriving.rdmapControl())) {
            return false;
        }
        arriving.opcode = opcode;
        return switch (opcode) {
            case WRITE ->
                into.add(
                                memory,
                                TaggedHeader.stag(arriving.buffer, arriving.at),
                                Access.REMOTE_WRITE,
                                TaggedHeader.taggedOffset(arriving.buffer, arriving.at),
                                arriving.payloadLength())
                        == AccessResult.GRANTED;
            case READ_RESPONSE -> acquireResponse(arriving, into);
            default -> false;
        };
    }

    private @Nullable TerminateReason dispatch() {
        if (segment.length < 2 || segment.length < segment.headerLength()) {
            return TerminateReason.DDP_LOCAL;
        }
        if (!DdpControl.versionKnown(segment.ddpControl())) {
            return segment.tagged() ? TerminateReason.DDP_TAGGED_VERSION : TerminateReason.DDP_UNTAGGED_VERSION;
        }
        return segment.tagged() ? tagged() : untagged();
    }

    private @Nullable TerminateReason tagged() {
        TerminateReason problem = opcode();
        if (problem != null) {
            return problem;
        }
        return switch (segment.opcode) {
            case WRITE -> write();
            case READ_RESPONSE -> readResponse();
            default -> TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        };
    }

    private @Nullable TerminateReason untagged() {
        int queue = UntaggedHeader.queue(segment.buffer, segment.at);
        if (queue < 0 || queue >= QUEUES) {
            return TerminateReason.DDP_INVALID_QUEUE;
        }
        if (UntaggedHeader.msn(segment.buffer, segment.at) != expectedMsn[queue]) {
            return TerminateReason.DDP_MSN_RANGE;
        }
        TerminateReason problem = opcode();
        if (problem != null) {
            return problem;
        }
        if (segment.opcode.queue() != queue) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        problem = queue == 0 ? message() : control();
        if (segment.last()) {
            expectedMsn[queue]++;
        }
        return problem;
    }

    /** RDMAP's own two checks; on success the segment knows its opcode. */
    private @Nullable TerminateReason opcode() {
        if (!RdmapControl.versionKnown(segment.rdmapControl())) {
            return TerminateReason.RDMAP_VERSION;
        }
        RdmapOpcode opcode = RdmapOpcode.of(segment.rdmapControl());
        if (opcode == null) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        segment.opcode = opcode;
        return null;
    }

    private @Nullable TerminateReason message() {
        boolean empty = segment.opcode == RdmapOpcode.SEND && segment.payloadLength() == 0;
        if (first && rtrSendMayCome && empty && segment.last()) {
            return null;
        }
        return messages.receive(segment);
    }

    /** Read Requests, Atomic Requests, Atomic Responses, Terminates: one segment each, of known length. */
    private @Nullable TerminateReason control() {
        if (UntaggedHeader.messageOffset(segment.buffer, segment.at) != 0) {
            return TerminateReason.DDP_INVALID_OFFSET;
        }
        int length = segment.payloadLength();
        int least = segment.opcode.fixedPayloadLength();
        int most = segment.opcode == RdmapOpcode.TERMINATE ? TerminateHeader.MAX_LENGTH : least;
        if (length > most || !segment.last()) {
            return TerminateReason.DDP_TOO_LONG;
        }
        if (length < least) {
            return TerminateReason.DDP_LOCAL;
        }
        return switch (segment.opcode) {
            case READ_REQUEST -> readRequest();
            case ATOMIC_REQUEST -> atomicRequest();
            case ATOMIC_RESPONSE -> atomicResponse();
            case TERMINATE -> terminate();
            default -> TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        };
    }

    private @Nullable TerminateReason write() {
        int bytes = segment.payloadLength();
        if (bytes > 0) {
            int stag = TaggedHeader.stag(segment.buffer, segment.at);
            long offset = TaggedHeader.taggedOffset(segment.buffer, segment.at);
            AccessResult result = spans.add(memory, stag, Access.REMOTE_WRITE, offset, bytes);
            if (result != AccessResult.GRANTED) {
                return AccessReasons.tagged(result);
            }
            spans.copyFrom(segment.buffer, segment.payloadAt());
            spans.release();
        }
        messages.written(bytes, segment.last());
        return null;
    }

    private @Nullable TerminateReason readRequest() {
        InboundRead response = inboundReads.claim();
        if (response == null) {
            return TerminateReason.RDMAP_STREAM_CATASTROPHE;
        }
        response.read(segment.buffer, segment.payloadAt(), expectedMsn[1]);
        if (response.size > 0) {
            AccessResult result = check(response.sourceStag, Access.REMOTE_READ, response.sourceOffset, response.size);
            if (result != AccessResult.GRANTED) {
                return AccessReasons.remote(result);
            }
        }
        inboundReads.commit();
        return null;
    }

    private @Nullable TerminateReason atomicRequest() {
        InboundRead response = inboundReads.claim();
        if (response == null) {
            return TerminateReason.RDMAP_STREAM_CATASTROPHE;
        }
        response.atomic(segment.buffer, segment.payloadAt(), expectedMsn[1]);
        boolean known = response.operation == AtomicRequestHeader.FETCH_ADD
                || response.operation == AtomicRequestHeader.COMPARE_SWAP;
        if (!known) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        AccessResult result =
                check(response.sourceStag, Access.REMOTE_ATOMIC, response.sourceOffset, SendWork.ATOMIC_BYTES);
        if (result != AccessResult.GRANTED) {
            return AccessReasons.remote(result);
        }
        if (response.sourceOffset % SendWork.ATOMIC_BYTES != 0) {
            return TerminateReason.RDMAP_STREAM_CATASTROPHE;
        }
        inboundReads.commit();
        return null;
    }

    private AccessResult check(int stag, int rights, long offset, long bytes) {
        MemoryRegion region = memory.table().find(stag);
        return region == null ? AccessResult.INVALID_STAG : region.check(memory.who(), rights, offset, bytes);
    }

    private @Nullable TerminateReason terminate() {
        status.terminatedByPeer(TerminateHeader.controlWord(segment.buffer, segment.payloadAt()));
        return null;
    }

    /** A response to our oldest read or atomic (RFC 5040 section 5.5). */
    private @Nullable TerminateReason readResponse() {
        int bytes = segment.payloadLength();
        if (rtrReadSent) {
            rtrReadSent = false;
            return bytes == 0 && segment.last() ? null : TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        SendWork work = sends.awaitingAnswer();
        if (work == null || work.opcode != WorkOpcode.READ) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        if (work.totalBytes() == 0) {
            return emptyAnswer();
        }
        TerminateReason problem = problem(segment, work);
        if (problem == null) {
            problem = place(work, bytes);
        }
        if (problem == null) {
            answered(work, bytes);
        }
        return problem;
    }

    /**
     * A part of the answer to a read of nothing, which asked for no memory and gets none: what it carries is dropped.
     * Linux siw, when it was busy sending, answers with as many bytes as the message before had.
     */
    private @Nullable TerminateReason emptyAnswer() {
        if (segment.last()) {
            sends.answered();
        }
        return null;
    }

    /** Counts what was placed; work that has all its bytes is answered. */
    private void answered(SendWork work, int bytes) {
        work.done += bytes;
        if (work.done == work.totalBytes()) {
            sends.answered();
        }
    }

    /** Acquires where a segment's payload goes; false, and nothing acquired, unless it is exactly what is due. */
    private boolean acquireResponse(Ulpdu arriving, SpanList into) {
        SendWork work = sends.awaitingAnswer();
        if (rtrReadSent || work == null || work.opcode != WorkOpcode.READ) {
            return false;
        }
        return problem(arriving, work) == null
                && work.scatter().acquire(memory, Access.LOCAL_WRITE, work.done, arriving.payloadLength(), into)
                        == AccessResult.GRANTED;
    }

    /** What is wrong with a response, if it is not exactly what is due. */
    private static @Nullable TerminateReason problem(Ulpdu part, SendWork work) {
        int bytes = part.payloadLength();
        ScatterList sink = work.scatter();
        if (bytes > 0 && TaggedHeader.stag(part.buffer, part.at) != sink.firstKey()) {
            return TerminateReason.DDP_INVALID_STAG;
        }
        if (bytes > 0 && TaggedHeader.taggedOffset(part.buffer, part.at) - sink.firstAddress() != work.done) {
            return TerminateReason.DDP_BOUNDS;
        }
        long due = work.totalBytes() - work.done;
        boolean fits = part.last() ? bytes == due : bytes < due;
        return fits ? null : TerminateReason.DDP_BOUNDS;
    }

    private @Nullable TerminateReason place(SendWork work, int bytes) {
        if (work.scatter().acquire(memory, Access.LOCAL_WRITE, work.done, bytes, spans) != AccessResult.GRANTED) {
            work.status = WorkStatus.LOCAL_PROTECTION;
            return TerminateReason.RDMAP_LOCAL;
        }
        spans.copyFrom(segment.buffer, segment.payloadAt());
        spans.release();
        return null;
    }

    private @Nullable TerminateReason atomicResponse() {
        SendWork work = sends.awaitingAnswer();
        int id = AtomicResponseHeader.requestId(segment.buffer, segment.payloadAt());
        if (work == null || !work.opcode.isAtomic() || id != (int) work.done) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        AccessResult result = work.scatter().acquire(memory, Access.LOCAL_WRITE, 0, SendWork.ATOMIC_BYTES, spans);
        if (result != AccessResult.GRANTED) {
            work.status = WorkStatus.LOCAL_PROTECTION;
            return TerminateReason.RDMAP_LOCAL;
        }
        word.putLong(0, AtomicResponseHeader.value(segment.buffer, segment.payloadAt()));
        spans.copyFrom(word, 0);
        spans.release();
        sends.answered();
        return null;
    }
}
