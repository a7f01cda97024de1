package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.ddp.LocalMemory;
import dev.retier.iwarp.ddp.SpanList;
import dev.retier.iwarp.ddp.Ulpdu;
import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.wire.ImmediateData;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.TerminateReason;
import dev.retier.iwarp.wire.UntaggedHeader;
import org.jspecify.annotations.Nullable;

/** Queue 0: Sends of all kinds and Immediate Data, into posted receives (RFC 5040 section 5.3, RFC 7306 section 6). */
final class MessageReceiver {
    private final LocalMemory memory;
    private final ReceiveQueue receives;
    private final CompletionSink sink;
    private final SpanList spans;
    private final Completion completion = new Completion();
    private @Nullable RdmapOpcode underWay;
    private long received;
    private long writtenBytes;
    private boolean writeEnded = true;

    MessageReceiver(StreamParts parts, SpanList spans) {
        this.memory = parts.memory();
        this.receives = parts.receives();
        this.sink = parts.receiveSink();
        this.spans = spans;
    }

    /** Counts an RDMA Write, so that an Immediate behind it can say how long it was. */
    void written(int bytes, boolean last) {
        writtenBytes = writeEnded ? bytes : writtenBytes + bytes;
        writeEnded = last;
    }

    @Nullable
    TerminateReason receive(Ulpdu segment) {
        ReceiveWork work = receives.first();
        if (work == null) {
            return TerminateReason.DDP_NO_BUFFER;
        }
        if (underWay != null && underWay != segment.opcode) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        long offset = Integer.toUnsignedLong(UntaggedHeader.messageOffset(segment.buffer, segment.at));
        if (offset != received) {
            return TerminateReason.DDP_INVALID_OFFSET;
        }
        boolean immediate = segment.opcode.fixedPayloadLength() > 0;
        if (immediate) {
            return segment.payloadLength() == ImmediateData.LENGTH && segment.last()
                    ? immediate(segment, work)
                    : TerminateReason.RDMAP_STREAM_CATASTROPHE;
        }
        return place(segment, work);
    }

    private @Nullable TerminateReason place(Ulpdu segment, ReceiveWork work) {
        int bytes = segment.payloadLength();
        if (received + bytes > work.scatter().totalBytes()) {
            return fail(work, WorkStatus.LOCAL_LENGTH, TerminateReason.DDP_TOO_LONG);
        }
        if (bytes > 0) {
            AccessResult result = work.scatter().acquire(memory, Access.LOCAL_WRITE, received, bytes, spans);
            if (result != AccessResult.GRANTED) {
                return fail(work, WorkStatus.LOCAL_PROTECTION, TerminateReason.RDMAP_LOCAL);
            }
            spans.copyFrom(segment.buffer, segment.payloadAt());
            spans.release();
        }
        received += bytes;
        underWay = segment.opcode;
        return segment.last() ? deliver(segment, work) : null;
    }

    private @Nullable TerminateReason deliver(Ulpdu segment, ReceiveWork work) {
        int invalidated = 0;
        if (segment.opcode.invalidates()) {
            invalidated = UntaggedHeader.invalidateStag(segment.buffer, segment.at);
            if (!invalidate(invalidated)) {
                return TerminateReason.RDMAP_CANNOT_INVALIDATE;
            }
        }
        completion.of(work.workId, CompletionKind.RECEIVE, WorkStatus.SUCCESS, received);
        completion.solicited = segment.opcode.solicited();
        completion.invalidatedStag = invalidated;
        abandon();
        return finish();
    }

    private @Nullable TerminateReason immediate(Ulpdu segment, ReceiveWork work) {
        completion.of(work.workId, CompletionKind.RECEIVE_IMMEDIATE, WorkStatus.SUCCESS, writtenBytes);
        completion.immediate = ImmediateData.value(segment.buffer, segment.payloadAt());
        completion.hasImmediate = true;
        completion.solicited = segment.opcode.solicited();
        writtenBytes = 0;
        return finish();
    }

    private @Nullable TerminateReason finish() {
        receives.consume();
        return sink.complete(completion) ? null : TerminateReason.RDMAP_LOCAL;
    }

    private TerminateReason fail(ReceiveWork work, WorkStatus how, TerminateReason reason) {
        completion.of(work.workId, CompletionKind.RECEIVE, how, 0);
        completion.errorWord = reason.word();
        receives.consume();
        sink.complete(completion);
        return reason;
    }

    /** Only an STag of this stream alone may go: one that others share would be taken from them, too. */
    private boolean invalidate(int stag) {
        MemoryRegion region = memory.table().find(stag);
        boolean ours =
                region != null && region.domain() == memory.who().domain() && region.stream() == memory.who().stream();
        return region != null && ours && memory.table().deregister(region);
    }

    void abandon() {
        received = 0;
        underWay = null;
    }
}
