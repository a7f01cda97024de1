package dev.retier.iwarp.stream;

import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.wire.AtomicRequestHeader;
import dev.retier.iwarp.wire.DdpControl;
import dev.retier.iwarp.wire.RdmapControl;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.RtrKind;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import dev.retier.iwarp.wire.UntaggedHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Places and delivers received segments, and finds what is wrong with them. Each check returns the reason, or null if
 * there is none; the first reason ends the stream. Guarded by the stream owner's lock.
 */
final class Receiver {
    private static final int QUEUES = 4;

    private final LocalMemory memory;
    private final OwedResponses owed;
    private final StreamStatus status;
    private final SpanList spans;
    private final int[] expectedMsn = {1, 1, 1, 1};
    private final Ulpdu segment = new Ulpdu();
    private final MessageReceiver messages;
    private final ResponseReceiver responses;
    private final DirectPlacement direct;
    private boolean rtrSendMayCome;
    private boolean first = true;

    Receiver(StreamParts parts, Agreement agreement) {
        this.memory = parts.memory();
        this.owed = parts.owed();
        this.status = parts.status();
        this.spans = new SpanList(parts.maxElements());
        this.messages = new MessageReceiver(parts, spans);
        boolean rtrReadSent = agreement.initiator() && agreement.rtr().contains(RtrKind.READ);
        this.responses = new ResponseReceiver(parts, spans, rtrReadSent);
        this.direct = new DirectPlacement(parts, responses);
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

    /** The way of a segment that is placed while it arrives. */
    DirectPlacement direct() {
        return direct;
    }

    /** A segment was placed while it arrived, and is whole now. */
    void placed() {
        Ulpdu whole = direct.complete();
        if (whole.opcode == RdmapOpcode.WRITE) {
            messages.written(whole.payloadLength(), whole.last());
        } else {
            TerminateReason problem = responses.placed(whole);
            if (problem != null) {
                status.fail(whole.failure(problem));
            }
        }
        first = false;
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
            case READ_RESPONSE -> responses.readResponse(segment);
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
        if (problem == null && segment.last()) {
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
        if (opcode == null || opcode.tagged() != segment.tagged()) {
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
            case ATOMIC_RESPONSE -> responses.atomicResponse(segment);
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
        OwedResponse response = owed.claim();
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
        owed.commit();
        return null;
    }

    private @Nullable TerminateReason atomicRequest() {
        OwedResponse response = owed.claim();
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
        owed.commit();
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
}
